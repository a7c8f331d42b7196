package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postern/generator/ir"
	"postern/spec"
)

// TestPromisesAreRead holds support.yaml to its word: a parameter or member that it
// calls full, partial or decoded is read somewhere in the handlers or the planner. What nobody
// reads is ignored, and must say why that is right, or refused.
func TestPromisesAreRead(t *testing.T) {
	read := readers(t, "../handlers", "../planner", "../internal/mutate")
	support, err := spec.Supported()
	if err != nil {
		t.Fatal(err)
	}
	check := func(where string, entries map[string]spec.Entry) {
		for _, name := range spec.Names(entries) {
			e := entries[name]
			if e.State == spec.Refused || e.State == spec.Ignored {
				continue
			}
			if !mentions(read, "."+ir.GoName(name)) {
				t.Errorf("support.yaml: %s %s is %s, but nobody reads it", where, name, e.State)
			}
		}
	}
	for _, name := range spec.Names(support.Endpoints) {
		check(name+" url", support.Endpoints[name].URL)
		check(name+" body", support.Endpoints[name].Body)
	}
	for _, name := range spec.Names(support.Queries) {
		check("query "+name, support.Queries[name].Members)
	}
	for _, name := range spec.Names(support.Aggregations) {
		check("aggregation "+name, support.Aggregations[name].Members)
	}
}

// readers is the source of all Go files below the folders, tests aside.
func readers(t *testing.T, folders ...string) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// mentions tells that a selector is there as a whole word.
func mentions(text, selector string) bool {
	for {
		_, after, ok := strings.Cut(text, selector)
		if !ok {
			return false
		}
		if after == "" || !isWord(after[0]) {
			return true
		}
		text = after
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
