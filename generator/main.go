// Command generator writes the packages under generated/ and docs/compatibility.md
// from the specification, support.yaml and amendments.yaml.
//
// Its steps are packages: spec loads, ir reduces, emit writes.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"postern/generator/emit"
	"postern/generator/ir"
	"postern/spec"
)

//go:generate go run . -out ../generated

func main() {
	out := flag.String("out", "generated", "folder of the generated packages")
	facts := flag.String("facts", "", "read these facts instead of the committed ones, and list what no longer matches instead of failing")
	flag.Parse()
	if err := run(*out, *facts); err != nil {
		fmt.Fprintln(os.Stderr, "generator:", err)
		os.Exit(1)
	}
}

func run(out, facts string) error {
	model, support, amended, err := load(facts)
	if err != nil {
		return err
	}
	program, err := ir.Build(model, support, amended)
	if err != nil {
		return err
	}
	files, err := emit.Program(program)
	if err != nil {
		return err
	}
	return write(out, files)
}

func load(facts string) (*spec.Model, *spec.Support, *spec.Amended, error) {
	support, err := spec.Supported()
	if err != nil {
		return nil, nil, nil, err
	}
	amended, err := spec.Amendments()
	if err != nil {
		return nil, nil, nil, err
	}
	if facts == "" {
		model, err := spec.Load()
		return model, support, amended, err
	}
	text, err := os.ReadFile(facts)
	if err != nil {
		return nil, nil, nil, err
	}
	model, err := spec.Parse(text)
	return model, support, amended, err
}

// write replaces the packages: files that are no longer emitted go.
func write(out string, files []emit.Source) error {
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
		if !keep[rel] && !isTest(rel) {
			if err := os.Remove(o); err != nil {
				return err
			}
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

// isTest tells the tests beside the generated code, which are written by hand.
func isTest(name string) bool {
	matched, _ := filepath.Match("*_test.go", filepath.Base(name))
	return matched
}
