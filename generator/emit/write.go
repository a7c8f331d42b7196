package emit

import (
	"os"
	"path/filepath"
	"strings"
)

// Write replaces the packages below out: files that are no longer emitted go, the
// tests beside them, which are written by hand, stay.
func Write(out string, files []Source) error {
	keep := map[string]bool{}
	for _, f := range files {
		keep[filepath.Clean(f.Path)] = true
	}
	old, err := filepath.Glob(filepath.Join(out, "*", "*.go"))
	if err != nil {
		return err
	}
	for _, o := range old {
		rel, err := filepath.Rel(out, o)
		if err != nil {
			return err
		}
		if keep[rel] || strings.HasSuffix(rel, "_test.go") {
			continue
		}
		if err := os.Remove(o); err != nil {
			return err
		}
	}
	for _, f := range files {
		name := filepath.Join(out, f.Path)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
