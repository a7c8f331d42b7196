package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"postern/conformance/expected"
	"postern/conformance/replay"
	"postern/conformance/report"
	"postern/conformance/suite"
)

type replayCommand struct {
	Engine     []string `required:"" sep:"none" help:"An engine to ask, NAME=URL; give it several times for several engines, which are asked side by side."`
	Root       string   `default:"conformance" help:"The folder that holds recordings/ and expected/."`
	CA         string   `type:"existingfile" help:"The certificate authority of https engines, as PEM."`
	Insecure   bool     `help:"Take any certificate of an https engine."`
	Disposable bool     `help:"The engines hold nothing worth keeping: send requests that delete by patterns to those, too, that would obey."`
	Workers    int      `default:"4" help:"How many scenarios run at once on each engine."`
	Policy     string   `enum:"unexpected,any,broken,never" default:"unexpected" help:"What makes the exit code 1: differences that no list explains (unexpected), any difference, replays that could not be done (broken), never."`
	Quiet      bool     `short:"q" help:"Only name what fails, without the differences."`
	Results    string   `placeholder:"FILE" help:"Write the outcome as JSON, for conformance report."`
	JUnit      string   `name:"junit" placeholder:"FILE" help:"Write the outcome as JUnit XML."`
	Cases      []string `arg:"" optional:"" help:"Files and folders of recordings, or beginnings of names below recordings/ (document/, search/sort-missing)."`
}

func (c *replayCommand) Run(ctx context.Context) error {
	cases, ours, err := c.load()
	if err != nil {
		return err
	}
	var targets []replay.Target
	for _, text := range c.Engine {
		target, err := replay.ParseTarget(text)
		if err != nil {
			return err
		}
		if target.TLS != nil {
			if err := trust(&target, c.CA, c.Insecure); err != nil {
				return err
			}
		}
		target.Disposable = c.Disposable
		targets = append(targets, target)
	}
	runs := make([]report.Run, len(targets))
	errs := make([]error, len(targets))
	bar := newProgress(len(cases) * len(targets))
	var wait sync.WaitGroup
	for i, target := range targets {
		wait.Go(func() { runs[i], errs[i] = c.on(ctx, target, cases, ours, bar) })
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("%s: %w", targets[i].Name, err)
		}
		show(runs[i], c.Quiet)
	}
	if err := c.write(runs); err != nil {
		return err
	}
	return report.Check(c.Policy, runs)
}

// load returns the cases that were asked for, and whether the lists of expected differences
// are about them.
func (c *replayCommand) load() (cases []suite.Case, ours bool, err error) {
	root := filepath.Join(c.Root, "recordings")
	var prefixes []string
	for _, arg := range c.Cases {
		if _, err := os.Stat(arg); err != nil {
			prefixes = append(prefixes, arg)
			continue
		}
		relative, err := relativeTo(root, arg)
		if err == nil && !strings.HasPrefix(relative, "..") {
			prefixes = append(prefixes, strings.TrimSuffix(filepath.ToSlash(relative), suite.Extension))
			continue
		}
		found, err := suite.Load(arg)
		if err != nil {
			return nil, false, err
		}
		cases = append(cases, found...)
	}
	if len(prefixes) == 0 && cases != nil {
		return cases, false, nil
	}
	found, err := suite.Load(root, prefixes...)
	return append(cases, found...), true, err
}

func relativeTo(root, arg string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	if arg, err = filepath.Abs(arg); err != nil {
		return "", err
	}
	return filepath.Rel(root, arg)
}

func (c *replayCommand) on(ctx context.Context, target replay.Target, cases []suite.Case, ours bool, bar *progress) (report.Run, error) {
	data, err := loader()
	if err != nil {
		return report.Run{}, err
	}
	target.Load = data.Load
	version, err := target.Version(ctx)
	if err != nil {
		return report.Run{}, err
	}
	var list []expected.Entry
	if ours {
		if list, err = expected.Read(filepath.Join(c.Root, "expected", target.Name+".txt")); err != nil {
			return report.Run{}, err
		}
	}
	start := time.Now()
	results := suite.Run(ctx, target, cases, c.Workers, bar.step)
	wrong := expected.Apply(list, results, len(c.Cases) == 0)
	return report.New(target.Name, version, start, results, wrong), nil
}

func (c *replayCommand) write(runs []report.Run) error {
	if c.Results != "" {
		if err := report.Write(c.Results, runs); err != nil {
			return err
		}
	}
	if c.JUnit == "" {
		return nil
	}
	return toFile(c.JUnit, func(f *os.File) error { return report.JUnit(f, runs) })
}

func toFile(name string, write func(*os.File) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
