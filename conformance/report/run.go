// Package report keeps the outcome of replays as data, and shows it: one page of HTML or
// Markdown, JUnit XML, and the summary that docs/compatibility.md is made of.
package report

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"postern/conformance/suite"
)

// Run is a replay on one engine.
type Run struct {
	Engine  string    `json:"engine"`
	Version string    `json:"version"`
	Date    time.Time `json:"date"`
	Cases   []Case    `json:"cases"`
	Wrong   []string  `json:"wrong,omitempty"` // entries of the expected list that are not so
}

// Outcome is how a case ended.
type Outcome string

const (
	// Passed: every answer is the recorded one.
	Passed Outcome = "passed"
	// Known: answers differ, and the list of expected differences says why.
	Known Outcome = "known"
	// Failed: answers differ.
	Failed Outcome = "failed"
	// Broken: the replay itself could not be done.
	Broken Outcome = "broken"
	// Skipped: what the case needs is not there.
	Skipped Outcome = "skipped"
)

// Case is the outcome of one recording.
type Case struct {
	Name        string       `json:"name"`
	About       string       `json:"about"`
	Covers      []string     `json:"covers,omitempty"`
	Outcome     Outcome      `json:"outcome"`
	Exchanges   int          `json:"exchanges"`
	Seconds     float64      `json:"seconds"`
	Error       string       `json:"error,omitempty"`
	Differences []Difference `json:"differences,omitempty"`
}

// Difference is an exchange whose answer is not the recorded one.
type Difference struct {
	Exchange int      `json:"exchange"`
	Line     int      `json:"line"`
	Request  string   `json:"request"`
	Diffs    []string `json:"diffs"`
	Why      string   `json:"why,omitempty"` // of a known one
	See      string   `json:"see,omitempty"`
}

// Capability is the folder that a case stands in; of a file outside of folders, its name.
func (c Case) Capability() string {
	capability, _, _ := strings.Cut(c.Name, "/")
	return capability
}

// New makes a run of results, to which the list of expected differences has been applied.
func New(engine, version string, date time.Time, results []suite.Result, wrong []string) Run {
	run := Run{Engine: engine, Version: version, Date: date.UTC().Truncate(time.Second), Wrong: wrong}
	for _, r := range results {
		run.Cases = append(run.Cases, newCase(r))
	}
	return run
}

func newCase(r suite.Result) Case {
	c := Case{
		Name:      r.Case.Name,
		About:     strings.Join(r.Case.Recording.About, " "),
		Covers:    r.Case.Recording.Covers,
		Exchanges: len(r.Case.Recording.Exchanges),
		Seconds:   r.Took.Seconds(),
	}
	for _, f := range r.Failures {
		c.Differences = append(c.Differences, Difference{Exchange: f.Exchange, Line: f.Line, Request: f.Request, Diffs: f.Diffs})
	}
	for _, k := range r.Known {
		c.Differences = append(c.Differences, Difference{k.Exchange, k.Line, k.Request, k.Diffs, k.Why, k.See})
	}
	if r.Err != nil {
		c.Error = r.Err.Error()
	}
	switch {
	case r.Skipped():
		c.Outcome = Skipped
	case r.Err != nil:
		c.Outcome = Broken
	case len(r.Failures) > 0:
		c.Outcome = Failed
	case len(r.Known) > 0:
		c.Outcome = Known
	default:
		c.Outcome = Passed
	}
	return c
}

// Total counts cases by how they ended.
type Total struct{ Passed, Known, Failed, Broken, Skipped int }

// Add counts one case.
func (t *Total) Add(o Outcome) {
	switch o {
	case Passed:
		t.Passed++
	case Known:
		t.Known++
	case Failed:
		t.Failed++
	case Broken:
		t.Broken++
	case Skipped:
		t.Skipped++
	}
}

// Asked is how many cases were asked.
func (t Total) Asked() int { return t.Passed + t.Known + t.Failed + t.Broken }

func (t Total) String() string {
	text := fmt.Sprintf("%d passed, %d differ as listed, %d failed", t.Passed, t.Known, t.Failed)
	if t.Broken > 0 {
		text += fmt.Sprintf(", %d could not be replayed", t.Broken)
	}
	if t.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", t.Skipped)
	}
	return text
}

// Total counts all cases of the run.
func (r Run) Total() Total {
	var t Total
	for _, c := range r.Cases {
		t.Add(c.Outcome)
	}
	return t
}

// Read reads the runs in files.
func Read(files ...string) ([]Run, error) {
	var all []Run
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var runs []Run
		if err := json.Unmarshal(text, &runs); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, runs...)
	}
	return all, nil
}

// Write writes runs as Read reads them.
func Write(file string, runs []Run) error {
	text, err := json.MarshalIndent(runs, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
