package clients

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"postern/conformance/requirement"
)

// Python returns the interpreter of a virtual environment that has what the file of
// requirements asks for.
func Python(t testing.TB, requirements string) string {
	t.Helper()
	system, err := exec.LookPath("python3")
	if err != nil {
		requirement.Missing(t, "python3 is not installed")
	}
	env := Environment(t, requirements)
	defer lock(t, env)()
	if _, err := os.Stat(filepath.Join(env, "ready")); err != nil {
		Prepare(t, exec.Command(system, "-m", "venv", "--clear", env))
		Prepare(t, exec.Command(filepath.Join(env, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "-r", requirements))
		Ready(t, env)
	}
	return filepath.Join(env, "bin", "python")
}

// Environment is a folder in the cache for what the files ask for.
func Environment(t testing.TB, files ...string) string {
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

// lock keeps other test processes from preparing the same environment, until the
// function it returns is called.
func lock(t testing.TB, env string) func() {
	t.Helper()
	f, err := os.Create(env + ".lock")
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { f.Close() }
}

// Ready notes that the environment is complete.
func Ready(t testing.TB, env string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(env, "ready"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Prepare runs a step that needs a package registry: without one the test is skipped.
func Prepare(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		requirement.Missing(t, "%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}
