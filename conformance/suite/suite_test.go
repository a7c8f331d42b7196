package suite_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"postern/conformance/replay"
	"postern/conformance/suite"
)

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestLoadNamesCasesByTheirPlace(t *testing.T) {
	root := write(t, map[string]string{
		"a/x.rec": "# a\nindex cf-x\n\n> GET /\n", "b/y.rec": "# b\nindex cf-y\n\n> GET /\n", "b/notes.txt": "no recording",
	})
	cases, err := suite.Load(root)
	if err != nil || len(cases) != 2 || cases[0].Name != "a/x" || cases[1].Name != "b/y" {
		t.Errorf("%v %v", cases, err)
	}
	if cases, err = suite.Load(root, "b/"); err != nil || len(cases) != 1 {
		t.Errorf("%v %v", cases, err)
	}
	if _, err = suite.Load(root, "c/"); err == nil {
		t.Error("nothing was found, and that is no error")
	}
	if err := suite.Distinct(cases); err != nil {
		t.Error(err)
	}
}

func TestErrorsNameFileAndLine(t *testing.T) {
	root := write(t, map[string]string{"a/x.rec": "# a\nnope 1\n"})
	if _, err := suite.Load(root); err == nil || !strings.Contains(err.Error(), "x.rec: line 2: ") {
		t.Error(err)
	}
}

func TestDistinct(t *testing.T) {
	cases, err := suite.Load(write(t, map[string]string{"a.rec": "# a\nindex cf-x\n\n> GET /\n", "b.rec": "# b\ntemplate cf-x\n\n> GET /\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if err := suite.Distinct(cases); err == nil || !strings.Contains(err.Error(), "cf-x") {
		t.Error(err)
	}
}

// TestSideBySide holds that cases run together, but not those of one index, nor beside one
// that has to be alone.
func TestSideBySide(t *testing.T) {
	var mu sync.Mutex
	now, most := map[string]bool{}, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			return
		}
		mu.Lock()
		for other := range now {
			if other[:2] == r.URL.Path[:2] || other == "/alone" || r.URL.Path == "/alone" {
				t.Errorf("%s runs beside %s", r.URL.Path, other)
			}
		}
		now[r.URL.Path] = true
		most = max(most, len(now))
		mu.Unlock()
		time.Sleep(30 * time.Millisecond)
		mu.Lock()
		delete(now, r.URL.Path)
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-elastic-product", "Elasticsearch")
	}))
	defer server.Close()
	target, err := replay.ParseTarget("x=" + server.URL)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := suite.Load(write(t, map[string]string{
		"a1.rec": "# a\nindex a\n\n> GET /a1\n< 200\n", "a2.rec": "# a\nindex a\n\n> GET /a2\n< 200\n",
		"b.rec": "# b\nindex b\n\n> GET /b1\n< 200\n", "c.rec": "# c\nindex c\nalone it looks at all\n\n> GET /alone\n< 200\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, r := range suite.Run(context.Background(), target, cases, 4, func(suite.Result) { told++ }) {
		if !r.Passed() {
			t.Errorf("%s: %v %v", r.Case.Name, r.Err, r.Failures)
		}
	}
	if most < 2 || told != 4 {
		t.Errorf("%d ran at once, %d were told of", most, told)
	}
}
