package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"postern/conformance/clients"
	"postern/conformance/engines"
	"postern/conformance/engines/qdranttest"
	"postern/conformance/requirement"
)

func TestClients(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIP: not in short runs")
	}
	days(t, engines.ForTest(t, engines.Postern{}))
}

func TestClientsOnQdrant(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIP: not in short runs")
	}
	days(t, engines.ForTest(t, engines.PosternOnQdrant{Qdrant: qdranttest.Start(t).Addr}))
}

// days lets each client do a day's work.
func days(t *testing.T, server string) {
	t.Run("python-8", func(t *testing.T) { python(t, server, "8") })
	t.Run("python-9", func(t *testing.T) { python(t, server, "9") })
	t.Run("javascript-8", func(t *testing.T) { javascript(t, server) })
	t.Run("go-8", func(t *testing.T) { golang(t, server) })
}

func python(t *testing.T, server, version string) {
	interpreter := clients.Python(t, "python/requirements-"+version+".txt")
	run(t, exec.Command(interpreter, "python/day.py", server))
}

func javascript(t *testing.T, server string) {
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			requirement.Missing(t, "%s is not installed", program)
		}
	}
	env := clients.Environment(t, "javascript/package-lock.json", "javascript/package.json", "javascript/day.mjs")
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
		clients.Prepare(t, install)
		clients.Ready(t, env)
	}
	day := exec.Command("node", "day.mjs", server)
	day.Dir = env
	run(t, day)
}

func golang(t *testing.T, server string) {
	download := exec.Command("go", "mod", "download")
	download.Dir = "golang"
	clients.Prepare(t, download)
	day := exec.Command("go", "test", "-count=1", "-v", "./...")
	day.Dir = "golang"
	day.Env = append(os.Environ(), "ELASTICSEARCH_URL="+server)
	run(t, day)
}

func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	t.Logf("%s\n%s", strings.Join(cmd.Args, " "), out)
	if err != nil {
		t.Fatal(err)
	}
}
