// Command distill turns the published specification into facts.jsonl: no
// descriptions, examples or links, sorted, one endpoint or type a line, so that a
// new version of Elasticsearch is a readable diff.
//
// It is run by hand when the pinned version changes (make spec); nothing else of
// the project needs npm.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	version := flag.String("version", "8.19.1", "version of the npm package @elastic/request-converter")
	schema := flag.String("schema", "", "read this schema.json instead of asking npm for it")
	out := flag.String("out", "spec/facts.jsonl", "file to write")
	flag.Parse()
	if err := run(*version, *schema, *out); err != nil {
		fmt.Fprintln(os.Stderr, "distill:", err)
		os.Exit(1)
	}
}

func run(version, schema, out string) error {
	var raw []byte
	var err error
	if schema != "" {
		raw, err = os.ReadFile(schema)
	} else {
		raw, err = pack(version)
	}
	if err != nil {
		return err
	}
	facts, err := distill(raw, version)
	if err != nil {
		return err
	}
	return os.WriteFile(out, facts, 0o644)
}
