package main

import (
	"context"
	"fmt"
	"os"

	"postern/conformance/recording"
	"postern/conformance/replay"
)

type recordCommand struct {
	Engine string   `required:"" help:"The engine to ask, NAME=URL."`
	Label  string   `help:"What the files shall say they were recorded from (default: the engine's own version)."`
	Files  []string `arg:"" type:"existingfile" help:"Files of requests; answers in them are replaced."`
}

func (c *recordCommand) Run(ctx context.Context) error {
	target, err := replay.ParseTarget(c.Engine)
	if err != nil {
		return err
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
	for _, file := range c.Files {
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
