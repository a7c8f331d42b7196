// Command generator writes the packages under generated/ and docs/compatibility.md
// from the specification, support.yaml and amendments.yaml.
//
// Its steps are packages: spec loads, ir reduces, emit writes.
package main

import (
	"flag"
	"fmt"
	"os"

	"postern/generator/emit"
	"postern/generator/ir"
	"postern/spec"
)

//go:generate go run . -out ../generated -docs ../docs/compatibility.md

func main() {
	out := flag.String("out", "generated", "folder of the generated packages")
	docs := flag.String("docs", "docs/compatibility.md", "file that says what is supported")
	flag.Parse()
	if err := run(*out, *docs); err != nil {
		fmt.Fprintln(os.Stderr, "generator:", err)
		os.Exit(1)
	}
}

func run(out, docs string) error {
	model, err := spec.Load()
	if err != nil {
		return err
	}
	support, err := spec.Supported()
	if err != nil {
		return err
	}
	amended, err := spec.Amendments()
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
	if err := emit.Write(out, files); err != nil {
		return err
	}
	runs, err := spec.LastRun()
	if err != nil {
		return err
	}
	return os.WriteFile(docs, emit.Compatibility(model, support, program, runs), 0o644)
}
