package clients_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"postern/conformance/engines"
	"postern/conformance/requirement"
)

func TestClients(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIP: not in short runs")
	}
	server := engines.ForTest(t)
	t.Run("python-8", func(t *testing.T) { python(t, server, "8") })
	t.Run("python-9", func(t *testing.T) { python(t, server, "9") })
	t.Run("javascript-8", func(t *testing.T) { javascript(t, server) })
	t.Run("go-8", func(t *testing.T) { golang(t, server) })
}

func python(t *testing.T, server, version string) {
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		requirement.Missing(t, "python3 is not installed")
	}
	requirements := "python/requirements-" + version + ".txt"
	env := environment(t, requirements)
	if _, err := os.Stat(filepath.Join(env, "ready")); err != nil {
		prepare(t, exec.Command(interpreter, "-m", "venv", "--clear", env))
		prepare(t, exec.Command(filepath.Join(env, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "-r", requirements))
		ready(t, env)
	}
	run(t, exec.Command(filepath.Join(env, "bin", "python"), "python/day.py", server))
}

func javascript(t *testing.T, server string) {
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			requirement.Missing(t, "%s is not installed", program)
		}
	}
	env := environment(t, "javascript/package-lock.json", "javascript/package.json", "javascript/day.mjs")
	if _, err := os.Stat(filepath.Join(env, "ready")); err != nil {
		for _, name := range []string{"package.json", "package-lock.json", "day.mjs"} {
			text, err := os.ReadFile(filepath.Join("javascript", name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(env, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		install := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--silent")
		install.Dir = env
		prepare(t, install)
		ready(t, env)
	}
	day := exec.Command("node", "day.mjs", server)
	day.Dir = env
	run(t, day)
}

func golang(t *testing.T, server string) {
	download := exec.Command("go", "mod", "download")
	download.Dir = "golang"
	prepare(t, download)
	day := exec.Command("go", "test", "-count=1", "-v", "./...")
	day.Dir = "golang"
	day.Env = append(os.Environ(), "ELASTICSEARCH_URL="+server)
	run(t, day)
}

// environment is a folder in the cache for what the files ask for.
func environment(t *testing.T, files ...string) string {
	t.Helper()
	sum := sha256.New()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(text)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	env := filepath.Join(base, "postern", "clients", hex.EncodeToString(sum.Sum(nil))[:16])
	if err := os.MkdirAll(env, 0o755); err != nil {
		t.Fatal(err)
	}
	return env
}

func ready(t *testing.T, env string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(env, "ready"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

// prepare runs a step that needs a package registry: without one the test is skipped.
func prepare(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		requirement.Missing(t, "%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	t.Logf("%s\n%s", strings.Join(cmd.Args, " "), out)
	if err != nil {
		t.Fatal(err)
	}
}
