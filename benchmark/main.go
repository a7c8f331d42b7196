// Command benchmark asks the same checked questions of several engines in one run, and shows
// medians of trial medians as ratios to the faster native engine.
//
//	benchmark run --engine postern --engine elasticsearch --engine opensearch --json run.json
//	benchmark table run.json
//	benchmark charts FOLDER run.json…
//	benchmark compare before.json after.json
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"postern/benchmark/report"
)

type commands struct {
	Run     runCommand     `cmd:"" help:"Measure engines."`
	Table   tableCommand   `cmd:"" help:"Show a run as Markdown."`
	Charts  chartsCommand  `cmd:"" help:"Draw runs as SVG files."`
	Compare compareCommand `cmd:"" help:"Tell what differs between two runs beyond their noise."`
	Null    nullCommand    `cmd:"" help:"Serve a fixed answer: the floor of every other figure."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parsed := kong.Parse(new(commands), kong.Name("benchmark"), kong.BindTo(ctx, (*context.Context)(nil)))
	parsed.FatalIfErrorf(parsed.Run())
}

type tableCommand struct {
	File string `arg:"" help:"What run --json has written."`
}

func (c *tableCommand) Run() error {
	r, err := report.Read(c.File)
	if err != nil {
		return err
	}
	fmt.Print(r.Table())
	return nil
}

type chartsCommand struct {
	Folder string   `arg:"" help:"Where the files go."`
	Runs   []string `arg:"" help:"What run --json has written; several sizes give charts of cost against size."`
}

func (c *chartsCommand) Run() error {
	var runs []report.Run
	for _, path := range c.Runs {
		r, err := report.Read(path)
		if err != nil {
			return err
		}
		runs = append(runs, r)
	}
	if err := os.MkdirAll(c.Folder, 0o755); err != nil {
		return err
	}
	files, err := report.Charts(c.Folder, runs...)
	for _, f := range files {
		fmt.Println(f)
	}
	return err
}

type compareCommand struct {
	A string `arg:"" help:"The run before."`
	B string `arg:"" help:"The run after."`
}

func (c *compareCommand) Run() error {
	a, err := report.Read(c.A)
	if err != nil {
		return err
	}
	b, err := report.Read(c.B)
	if err != nil {
		return err
	}
	text, err := report.Compare(a, b)
	fmt.Print(text)
	return err
}
