package engines

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// sources are our launcher's: a POM that names Elastic's jars, and a main class.
//
//go:embed elasticsearch/pom.xml elasticsearch/log4j2.properties elasticsearch/src
var sources embed.FS

// Elasticsearch is version 8.15.0, from its Maven artifacts.
type Elasticsearch struct{}

// Name is what users call it.
func (Elasticsearch) Name() string { return "elasticsearch" }

// Port is not 9200, which a user's own server may hold.
func (Elasticsearch) Port() int { return 19215 }

// Address is the node's URL.
func (Elasticsearch) Address(port int) string { return httpAddress(port) }

// Ask asks for the cluster's health.
func (Elasticsearch) Ask(ctx context.Context, url string) (State, error) { return askHTTP(ctx, url) }

// Prepare fetches the jars and compiles the launcher, once for each change of sources.
func (Elasticsearch) Prepare(ctx context.Context, dir string) error {
	for _, program := range []string{"java", "mvn"} {
		if _, err := need(program); err != nil {
			return err
		}
	}
	changed, err := unpack(sources, "elasticsearch", dir)
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
	cmd.Stderr = os.Stderr
	if out, err := cmd.Output(); err != nil {
		return fmt.Errorf("mvn: %w\n%s", err, tail(string(out), 20))
	}
	return os.WriteFile(built, nil, 0o644)
}

// Command starts one node with a small heap, which leaves room for the tests beside it.
func (Elasticsearch) Command(dir, home string, port int) (*exec.Cmd, error) {
	heap := os.Getenv("HEAP")
	if heap == "" {
		heap = "512m"
	}
	config := filepath.Join(home, "config")
	if err := os.MkdirAll(config, 0o755); err == nil {
		if text, err := sources.ReadFile("elasticsearch/log4j2.properties"); err == nil {
			_ = os.WriteFile(filepath.Join(config, "log4j2.properties"), text, 0o644) // its absence only costs the log
		}
	}
	return exec.Command("java", "-Xms"+heap, "-Xmx"+heap, "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError",
		"-Dfile.encoding=UTF-8", "-Djava.awt.headless=true",
		"-Dlog4j.shutdownHookEnabled=false", "-Dlog4j2.disable.jmx=true",
		"-Dio.netty.noKeySetOptimization=true", "-Dio.netty.recycler.maxCapacityPerThread=0",
		"-cp", filepath.Join(dir, "target", "classes")+string(os.PathListSeparator)+filepath.Join(dir, "target", "lib", "*"),
		"engine.ElasticsearchNode", home, strconv.Itoa(port)), nil
}
