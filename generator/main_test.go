package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postern/generator/emit"
	"postern/generator/ir"
	"postern/spec"
)

// TestNoDrift generates again: the committed packages and documentation are what the
// committed specification, support.yaml and amendments.yaml give.
func TestNoDrift(t *testing.T) {
	model, err := spec.Load()
	if err != nil {
		t.Fatal(err)
	}
	support, err := spec.Supported()
	if err != nil {
		t.Fatal(err)
	}
	amended, err := spec.Amendments()
	if err != nil {
		t.Fatal(err)
	}
	program, err := ir.Build(model, support, amended)
	if err != nil {
		t.Fatal(err)
	}
	files, err := emit.Program(program)
	if err != nil {
		t.Fatal(err)
	}
	emitted := map[string]bool{}
	for _, f := range files {
		emitted[filepath.Join("..", "generated", f.Path)] = true
		same(t, filepath.Join("..", "generated", f.Path), f.Text)
	}
	runs, err := spec.LastRun()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "../docs/compatibility.md", emit.Compatibility(model, support, program, runs))
	committed, err := filepath.Glob("../generated/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range committed {
		if !emitted[name] && !strings.HasSuffix(name, "_test.go") {
			t.Errorf("%s is no longer emitted: run go generate ./generator", name)
		}
	}
}

func same(t *testing.T, name string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
		return
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the generator writes: run go generate ./generator", name)
	}
}
