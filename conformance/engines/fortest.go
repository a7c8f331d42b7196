package engines

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"postern/conformance/requirement"
)

// ForTest starts a Postern, one or the other, for one test and returns its URL. POSTERN_URL
// names a server that runs already, and is used as it is.
func ForTest(t testing.TB, postern Engine) string {
	t.Helper()
	if url := os.Getenv("POSTERN_URL"); url != "" {
		return url
	}
	if _, err := need("go"); err != nil {
		requirement.Missing(t, "%v", err)
	}
	touchSources(t)
	port := freePort(t)
	cache := t.TempDir()
	running, err := Up(context.Background(), postern, cache, port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := Down(context.Background(), cache, running.Engine); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			log, _ := os.ReadFile(running.Log())
			t.Logf("the end of the server's log:\n%s", tail(string(log), 30))
		}
	})
	return running.Address
}

// touchSources looks at every source of the repository: the server is built by another
// process, and without that look go would show an old result of the test as cached.
func touchSources(t testing.TB) {
	t.Helper()
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(root) == root {
			t.Fatal("no go.mod above the test")
		}
		root = filepath.Dir(root)
	}
	err = filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		if err == nil && filepath.Ext(file) == ".go" {
			_, err = os.Stat(file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
