package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"postern/generator/emit"
	"postern/generator/ir"
	"postern/spec"
)

// TestSmallSpecifications generates from specifications of a few types, one file for
// each shape that the real one has. Each file gives the specification with "facts",
// then what is promised and amended with "support" and "amend", and then:
//
//	show [file…]   the emitted files, without their imports
//	problems       what the generator complains of
//
// Run with -rewrite to accept new output.
func TestSmallSpecifications(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		facts, support, amended := "", "", "numbers: {}\n"
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "facts":
				facts = d.Input
				if _, err := spec.Parse([]byte(facts)); err != nil {
					return err.Error()
				}
				return ""
			case "support":
				support = d.Input
				return ""
			case "amend":
				amended = d.Input
				return ""
			case "problems":
				_, err := build(facts, support, amended)
				if err == nil {
					return "none"
				}
				return err.Error()
			case "show":
				p, err := build(facts, support, amended)
				if err != nil {
					return err.Error()
				}
				return show(t, p, d)
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}

func build(facts, support, amended string) (*ir.Program, error) {
	m, err := spec.Parse([]byte(facts))
	if err != nil {
		return nil, err
	}
	s, err := spec.ParseSupport([]byte(support))
	if err != nil {
		return nil, err
	}
	a, err := spec.ParseAmendments([]byte(amended))
	if err != nil {
		return nil, err
	}
	return ir.Build(m, s, a)
}

// show prints the emitted files whose names the command lists.
func show(t *testing.T, p *ir.Program, d *datadriven.TestData) string {
	files, err := emit.Program(p)
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	for _, arg := range d.CmdArgs {
		found := false
		for _, f := range files {
			if f.Path != arg.Key {
				continue
			}
			found = true
			fmt.Fprintf(&out, "== %s\n%s", f.Path, code(string(f.Text)))
		}
		if !found {
			fmt.Fprintf(&out, "== %s is not emitted\n", arg.Key)
		}
	}
	return out.String()
}

// code drops the header and the imports, and the blank lines that would end the
// expected output.
func code(text string) string {
	if _, after, ok := strings.Cut(text, "\n)\n"); ok && strings.Contains(text, "\nimport (") {
		text = after
	} else if _, after, ok := strings.Cut(text, "import "); ok {
		_, text, _ = strings.Cut(after, "\n")
	} else if _, after, ok := strings.Cut(text, "\npackage "); ok {
		_, text, _ = strings.Cut(after, "\n")
	}
	var out strings.Builder
	for _, l := range strings.Split(text, "\n") {
		if strings.TrimSpace(l) != "" {
			out.WriteString(l + "\n")
		}
	}
	return out.String()
}
