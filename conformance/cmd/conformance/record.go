package main

import (
	"context"
	"fmt"
	"os"

	"postern/conformance/recording"
	"postern/conformance/replay"
)

type recordCommand struct {
	Engine   string   `required:"" help:"The engine to ask, NAME=URL; the URL may hold user:password@."`
	Label    string   `help:"What the files shall say they were recorded from (default: the engine's own version)."`
	Listen   string   `placeholder:"HOST:PORT" help:"Stand here between an application and the engine, and record its traffic, without credentials, into the folder OUT/."`
	CA       string   `type:"existingfile" help:"The certificate authority of an https engine, as PEM."`
	Insecure bool     `help:"Take any certificate of an https engine."`
	Paths    []string `arg:"" help:"Files of requests, in which the answers are replaced; with --listen, the one folder OUT/."`
}

func (c *recordCommand) Run(ctx context.Context) error {
	target, err := replay.ParseTarget(c.Engine)
	if err != nil {
		return err
	}
	if err := trust(&target, c.CA, c.Insecure); err != nil {
		return err
	}
	if c.Listen != "" {
		if len(c.Paths) != 1 {
			return fmt.Errorf("--listen takes one folder, found %d", len(c.Paths))
		}
		return listen(ctx, c.Listen, target, c.Paths[0])
	}
	data, err := loader()
	if err != nil {
		return err
	}
	target.Load = data.Load
	label := c.Label
	if label == "" {
		version, err := target.Version(ctx)
		if err != nil {
			return err
		}
		label = target.Name + " " + version
	}
	for _, file := range c.Paths {
		if err := recordFile(ctx, target, label, file); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		fmt.Println("recorded", file)
	}
	return nil
}

func recordFile(ctx context.Context, target replay.Target, label, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	r, err := recording.Parse(text)
	if err != nil {
		return err
	}
	recorded, err := target.Record(ctx, r, label)
	if err != nil {
		return err
	}
	return os.WriteFile(file, recording.Format(recorded), 0o644)
}
