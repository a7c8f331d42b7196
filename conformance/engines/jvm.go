package engines

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// sources are the launchers: for each engine a POM that names its jars, and a main class.
//
//go:embed elasticsearch/pom.xml elasticsearch/log4j2.properties elasticsearch/src
//go:embed opensearch/pom.xml opensearch/log4j2.properties opensearch/src
var sources embed.FS

// jvm is an engine that is put together from Maven artifacts.
type jvm struct {
	name    string // also the folder of its sources
	main    string // the launcher's class
	java    int    // the oldest version of Java that will do
	homes   []string
	options []string
}

// prepare fetches the jars and compiles the launcher, once for each change of sources.
func (j jvm) prepare(ctx context.Context, dir string) error {
	if _, err := need("mvn"); err != nil {
		return err
	}
	home, err := j.javaHome()
	if err != nil {
		return err
	}
	changed, err := unpack(sources, j.name, dir)
	if err != nil {
		return err
	}
	built := filepath.Join(dir, "target", ".built")
	if _, err := os.Stat(built); err == nil && !changed {
		return nil
	}
	if err := os.RemoveAll(filepath.Join(dir, "target")); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "mvn", "-B", "-q", "process-classes")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "JAVA_HOME="+home)
	cmd.Stderr = os.Stderr
	if out, err := cmd.Output(); err != nil {
		return fmt.Errorf("mvn: %w\n%s", err, tail(string(out), 20))
	}
	return os.WriteFile(built, nil, 0o644)
}

// command starts one node with a small heap, which leaves room for the tests beside it.
func (j jvm) command(dir, home string, port int) (*exec.Cmd, error) {
	heap := os.Getenv("HEAP")
	if heap == "" {
		heap = "512m"
	}
	config := filepath.Join(home, "config")
	if err := os.MkdirAll(config, 0o755); err == nil {
		if text, err := sources.ReadFile(j.name + "/log4j2.properties"); err == nil {
			_ = os.WriteFile(filepath.Join(config, "log4j2.properties"), text, 0o644) // its absence only costs the log
		}
	}
	java, err := j.javaHome()
	if err != nil {
		return nil, err
	}
	options := []string{
		"-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError",
		"-Dfile.encoding=UTF-8", "-Djava.awt.headless=true",
		"-Dlog4j.shutdownHookEnabled=false", "-Dlog4j2.disable.jmx=true",
		"-Dio.netty.noKeySetOptimization=true", "-Dio.netty.recycler.maxCapacityPerThread=0",
	}
	classes := filepath.Join(dir, "target", "classes") + string(os.PathListSeparator) + filepath.Join(dir, "target", "lib", "*")
	return exec.Command(filepath.Join(java, "bin", "java"), slices.Concat(options, j.options, []string{"-cp", classes, j.main, home, strconv.Itoa(port)})...), nil
}

// javaHome finds a JDK that is new enough: where the engine's own variable points, where
// JAVA_HOME does, the one on the path, and where Linux distributions keep them.
func (j jvm) javaHome() (string, error) {
	var homes []string
	for _, variable := range append(slices.Clone(j.homes), "JAVA_HOME") {
		homes = append(homes, os.Getenv(variable))
	}
	if javac, err := exec.LookPath("javac"); err == nil {
		if javac, err = filepath.EvalSymlinks(javac); err == nil {
			homes = append(homes, filepath.Dir(filepath.Dir(javac)))
		}
	}
	if installed, err := filepath.Glob("/usr/lib/jvm/*"); err == nil {
		homes = append(homes, installed...)
	}
	for _, home := range homes {
		if home != "" && javaVersion(home) >= j.java {
			return home, nil
		}
	}
	return "", fmt.Errorf("a JDK of version %d or newer is %w", j.java, ErrMissing)
}

// javaVersion is the major version of the JDK at home; 0 if there is none.
func javaVersion(home string) int {
	if _, err := os.Stat(filepath.Join(home, "bin", "javac")); err != nil {
		return 0
	}
	text, err := os.ReadFile(filepath.Join(home, "release"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if version, ok := strings.CutPrefix(line, `JAVA_VERSION="`); ok {
			major, _, _ := strings.Cut(strings.TrimRight(version, "\"\n"), ".")
			n, _ := strconv.Atoi(major) // 0: too old
			return n
		}
	}
	return 0
}
