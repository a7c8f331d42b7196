package suite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
