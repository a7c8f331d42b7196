// Command testreport reads `go test -json` and prints what a reader wants of it: a line
// for each package, the output of what failed, and at the end what was skipped and why.
// With CI=true a skip is a failure: there everything has to be there.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// event is what test2json writes.
type event struct {
	Action     string
	Package    string
	ImportPath string
	Test       string
	Output     string
	Elapsed    float64
}

type report struct {
	out     io.Writer
	output  map[string][]string // by package and test, until its end is known
	skipped []string
	passed  int
	failed  int
	packs   int
}

func main() {
	r := &report{out: os.Stdout, output: map[string][]string{}}
	if err := r.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		os.Exit(2)
	}
	if !r.conclude(os.Getenv("CI") == "true") {
		os.Exit(1)
	}
}

func (r *report) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Action == "" {
			fmt.Fprintln(r.out, lines.Text())
			continue
		}
		r.event(e)
	}
	return lines.Err()
}

func (r *report) event(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "build-fail":
		r.failed++
	case "output":
		r.output[key] = append(r.output[key], e.Output)
	case "pass":
		if e.Test == "" {
			r.end(key, false)
		} else {
			r.passed++
		}
		delete(r.output, key)
	case "skip":
		r.skip(e, key)
	case "fail":
		r.failed++
		r.end(key, true)
	}
}

// end prints the output that is left: of a failed test all, of a package its last line.
func (r *report) end(key string, failed bool) {
	lines := r.output[key]
	delete(r.output, key)
	if strings.HasSuffix(key, " ") {
		r.packs++
	}
	for _, l := range lines {
		if failed || strings.HasPrefix(l, "ok ") {
			fmt.Fprint(r.out, l)
		}
	}
}

func (r *report) skip(e event, key string) {
	lines := r.output[key]
	delete(r.output, key)
	if e.Test == "" { // a package without tests
		return
	}
	why := "no reason given"
	for _, l := range lines {
		if text := strings.TrimSpace(l); text != "" && !strings.HasPrefix(text, "=== ") && !strings.HasPrefix(text, "--- ") {
			why = text
		}
	}
	r.skipped = append(r.skipped, fmt.Sprintf("%s %s: %s", e.Package, e.Test, why))
}

// conclude prints the end of the report and says whether all is well.
func (r *report) conclude(strict bool) bool {
	slices.Sort(r.skipped)
	for _, s := range r.skipped {
		fmt.Fprintln(r.out, "SKIP", s)
	}
	fmt.Fprintf(r.out, "%d passed, %d failed, %d skipped\n", r.passed, r.failed, len(r.skipped))
	if r.packs == 0 {
		fmt.Fprintln(r.out, "no package was tested")
		return false
	}
	if strict && len(r.skipped) > 0 {
		fmt.Fprintln(r.out, "FAIL: with CI=true nothing may be skipped")
		return false
	}
	return r.failed == 0
}
