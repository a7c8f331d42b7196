// Command try generates another version of the specification into a scratch folder,
// builds it in place of the committed packages, and lists what of support.yaml and
// amendments.yaml no longer matches anything in it. It changes nothing.
//
//	go run ./generator/try -version 9.5.0
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"postern/generator/emit"
	"postern/generator/ir"
	"postern/spec"
)

func main() {
	version := flag.String("version", "", "version of the npm package @elastic/request-converter")
	facts := flag.String("facts", "", "read these facts instead of asking npm for the version")
	flag.Parse()
	if err := run(*version, *facts); err != nil {
		fmt.Fprintln(os.Stderr, "try:", err)
		os.Exit(1)
	}
}

func run(version, facts string) error {
	scratch, err := os.MkdirTemp("", "postern-try-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if facts == "" {
		facts = filepath.Join(scratch, "facts.jsonl")
		if err := command("go", "run", "./spec/distill", "-version", version, "-out", facts); err != nil {
			return err
		}
	}
	text, err := os.ReadFile(facts)
	if err != nil {
		return err
	}
	model, err := spec.Parse(text)
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
	program, problems := ir.Build(model, support, amended)
	fmt.Printf("%s: %d endpoints, %d types, %d routes; %d endpoints supported\n",
		model.Version, len(model.Endpoints), len(model.Types()), len(program.Routes), len(program.Endpoints))
	list(problems)
	files, err := emit.Program(program)
	if err != nil {
		return err
	}
	if err := build(scratch, files); err != nil {
		return err
	}
	fmt.Println("the generated packages build")
	return nil
}

// list prints one problem a line.
func list(problems error) {
	if problems == nil {
		fmt.Println("every line of support.yaml and amendments.yaml matches")
		return
	}
	many, ok := problems.(interface{ Unwrap() []error })
	if !ok {
		fmt.Println(problems)
		return
	}
	for _, p := range many.Unwrap() {
		fmt.Println("-", p)
	}
}

// build compiles the files in place of the committed ones, which stay as they are.
func build(scratch string, files []emit.Source) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	committed, err := filepath.Glob(filepath.Join(root, "generated", "*", "*.go"))
	if err != nil {
		return err
	}
	for _, name := range committed {
		overlay.Replace[name] = "" // absent, unless it is emitted again
	}
	if err := emit.Write(filepath.Join(scratch, "generated"), files); err != nil {
		return err
	}
	for _, f := range files {
		overlay.Replace[filepath.Join(root, "generated", f.Path)] = filepath.Join(scratch, "generated", f.Path)
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	name := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return err
	}
	return command("go", "build", "-overlay", name, "./generated/...")
}

func command(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %v: %w", name, args, err)
	}
	return nil
}
