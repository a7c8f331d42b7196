package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"postern/conformance/expected"
	"postern/conformance/replay"
	"postern/conformance/suite"
)

type expectCommand struct {
	Engine  string `required:"" help:"The engine to ask, NAME=URL. It has to be disposable."`
	Root    string `default:"conformance" type:"existingdir" help:"The folder that holds recordings/ and expected/."`
	Workers int    `default:"4" help:"How many scenarios run at once."`
}

// Run replays everything twice, since what differs only sometimes can be on no strict list.
func (c *expectCommand) Run(ctx context.Context) error {
	target, err := replay.ParseTarget(c.Engine)
	if err != nil {
		return err
	}
	target.Disposable = true
	data, err := loader()
	if err != nil {
		return err
	}
	target.Load = data.Load
	list := filepath.Join(c.Root, "expected", target.Name+".txt")
	reasons, err := expected.ReadReasons(filepath.Join(c.Root, "expected", target.Name+".reasons"))
	if err != nil {
		return err
	}
	old, err := expected.Read(list)
	if err != nil {
		return err
	}
	cases, err := suite.Load(filepath.Join(c.Root, "recordings"))
	if err != nil {
		return err
	}
	bar := newProgress(2 * len(cases))
	results := suite.Run(ctx, target, cases, c.Workers, bar.step)
	again := suite.Run(ctx, target, cases, c.Workers, bar.step)
	if unsteady := unsteady(results, again); unsteady != nil {
		return fmt.Errorf("two replays differ: %s", strings.Join(unsteady, ", "))
	}
	entries, unexplained := expected.Explain(old, results, reasons)
	for _, text := range unexplained {
		fmt.Printf("UNEXPLAINED %s\n\n", text)
	}
	head, _, _ := strings.Cut(firstLine(list), "\n")
	if err := os.WriteFile(list, []byte(expected.Format(head, entries)), 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d differences\n", list, len(entries))
	if unexplained != nil {
		return fmt.Errorf("%d differences have no reason yet: write one into %s", len(unexplained), strings.TrimSuffix(list, ".txt")+".reasons")
	}
	return nil
}

// unsteady returns the exchanges that differ in one of two replays only, and the cases that
// could not be replayed.
func unsteady(a, b []suite.Result) []string {
	var names []string
	for i := range a {
		if a[i].Err != nil || b[i].Err != nil {
			names = append(names, fmt.Sprintf("%s (%v, %v)", a[i].Case.Name, a[i].Err, b[i].Err))
			continue
		}
		seen := map[int]int{}
		for _, f := range a[i].Failures {
			seen[f.Exchange]++
		}
		for _, f := range b[i].Failures {
			seen[f.Exchange]--
		}
		for n, times := range seen {
			if times != 0 {
				names = append(names, fmt.Sprintf("%s#%d", a[i].Case.Name, n))
			}
		}
	}
	return names
}

// firstLine returns the comment that begins the list in file, or one that will do.
func firstLine(file string) string {
	if text, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(text), "# ") {
		return string(text[2:])
	}
	return "Where this engine does not answer as recorded. Written by `conformance expect`; strict: an entry that passes has to go."
}
