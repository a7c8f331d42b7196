package main

import (
	"fmt"
	"os"
	"path/filepath"

	"postern/conformance/report"
)

type reportCommand struct {
	HTML     string   `name:"html" placeholder:"FILE" help:"Write the page as HTML."`
	Markdown string   `placeholder:"FILE" help:"Write the page as Markdown."`
	JUnit    string   `name:"junit" placeholder:"FILE" help:"Write JUnit XML."`
	Measured string   `placeholder:"FILE" help:"Write the totals, for spec/measured.json, from which docs/compatibility.md is made."`
	Docs     string   `default:"docs/compatibility.md" help:"Where the page finds docs/compatibility.md."`
	Results  []string `arg:"" type:"existingfile" help:"What replay --results has written."`
}

func (c *reportCommand) Run() error {
	runs, err := report.Read(c.Results...)
	if err != nil {
		return err
	}
	if c.Measured != "" {
		if err := report.Measured(c.Measured, runs); err != nil {
			return err
		}
		fmt.Println(c.Measured)
	}
	if c.Measured == "" && c.HTML == "" && c.Markdown == "" && c.JUnit == "" {
		return report.Markdown(os.Stdout, runs, c.Docs)
	}
	for _, page := range []struct {
		file  string
		write func(*os.File) error
	}{
		{c.HTML, func(f *os.File) error { return report.HTML(f, runs, c.Docs) }},
		{c.Markdown, func(f *os.File) error { return report.Markdown(f, runs, c.Docs) }},
		{c.JUnit, func(f *os.File) error { return report.JUnit(f, runs) }},
	} {
		if page.file == "" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(page.file), 0o755); err != nil {
			return err
		}
		if err := toFile(page.file, page.write); err != nil {
			return err
		}
		fmt.Println(page.file)
	}
	return nil
}
