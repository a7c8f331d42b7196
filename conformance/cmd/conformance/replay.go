package main

import (
	"context"
	"fmt"
	"path/filepath"

	"postern/conformance/expected"
	"postern/conformance/replay"
	"postern/conformance/suite"
)

type replayCommand struct {
	Engine   []string `required:"" help:"Engines to ask, NAME=URL; may be given several times."`
	Root     string   `default:"conformance" type:"existingdir" help:"The folder that holds recordings/ and expected/."`
	Workers  int      `default:"4" help:"How many scenarios run at once."`
	Quiet    bool     `short:"q" help:"Only name what fails, without the differences."`
	Prefixes []string `arg:"" optional:"" help:"Only cases whose names begin so (document/, search/sort-missing)."`
}

func (c *replayCommand) Run(ctx context.Context) error {
	cases, err := suite.Load(filepath.Join(c.Root, "recordings"), c.Prefixes...)
	if err != nil {
		return err
	}
	red := false
	for _, text := range c.Engine {
		target, err := replay.ParseTarget(text)
		if err != nil {
			return err
		}
		ok, err := c.on(ctx, target, cases)
		if err != nil {
			return err
		}
		red = red || !ok
	}
	if red {
		return fmt.Errorf("there are differences")
	}
	return nil
}

func (c *replayCommand) on(ctx context.Context, target replay.Target, cases []suite.Case) (bool, error) {
	data, err := loader()
	if err != nil {
		return false, err
	}
	target.Load = data.Load
	list, err := expected.Read(filepath.Join(c.Root, "expected", target.Name+".txt"))
	if err != nil {
		return false, err
	}
	results := suite.Run(ctx, target, cases, c.Workers, nil)
	wrong := expected.Apply(list, results, len(c.Prefixes) == 0)
	passed, failed, skipped := 0, 0, 0
	for _, r := range results {
		switch {
		case r.Skipped():
			skipped++
			fmt.Printf("SKIP %s: %v\n", r.Case.Name, r.Err)
		case r.Err != nil || len(r.Failures) > 0:
			failed++
			c.show(r)
		default:
			passed++
		}
	}
	for _, w := range wrong {
		fmt.Printf("FAIL expected/%s.txt, %s\n", target.Name, w)
	}
	fmt.Printf("%s: %d passed, %d failed, %d skipped\n", target.Name, passed, failed, skipped)
	return failed == 0 && len(wrong) == 0, nil
}

func (c *replayCommand) show(r suite.Result) {
	fmt.Printf("FAIL %s\n", r.Case.Name)
	if r.Err != nil {
		fmt.Printf("  %v\n", r.Err)
	}
	if c.Quiet {
		return
	}
	for _, f := range r.Failures {
		fmt.Printf("  %s\n", f)
	}
}
