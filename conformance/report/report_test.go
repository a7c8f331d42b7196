package report_test

import (
	"encoding/xml"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/conformance/recording"
	"postern/conformance/replay"
	"postern/conformance/report"
	"postern/conformance/suite"
)

func runs() []report.Run {
	result := func(name string, covers ...string) suite.Result {
		return suite.Result{Case: suite.Case{Name: name, Recording: &recording.Recording{
			About: []string{"What is <asked> | here."}, Covers: covers, Exchanges: make([]recording.Exchange, 3),
		}}}
	}
	failure := replay.Failure{Exchange: 2, Line: 9, Request: "GET /a&b", Diffs: []string{"body (-want +got):\n- <1>\n+ 2"}}
	passed, failed, known, broken, skipped := result("query/term", "query term"), result("query/range", "query range"), result("sort/forms"), result("sort/none"), result("data/x")
	failed.Failures = []replay.Failure{failure}
	known.Known = []suite.Known{{Failure: failure, Why: "ties", See: "ADR 1"}}
	broken.Err = errors.New("connection refused")
	skipped.Err = replay.ErrNoData
	date := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	return []report.Run{
		report.New("postern", "8.19.1", date, []suite.Result{passed, failed, known, broken, skipped}, []string{"line 3: x passes"}),
		report.New("elasticsearch", "8.15.0", date, []suite.Result{passed, known}, nil),
	}
}

func TestPagesShowRowsColumnsAndDifferences(t *testing.T) {
	var html, markdown strings.Builder
	if err := report.HTML(&html, runs(), "docs/compatibility.md"); err != nil {
		t.Fatal(err)
	}
	if err := report.Markdown(&markdown, runs(), "docs/compatibility.md"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"elasticsearch 8.15.0", "What is &lt;asked&gt; | here.", "- &lt;1&gt;", "GET /a&amp;b", "ties (ADR 1)", "connection refused",
		`<a href="#query">query</a></th><td>1 of 2</td><td>1 of 1</td>`, "line 3: x passes", "<td>query term</td><td>full</td>",
		`href="docs/compatibility.md"`,
	} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("the HTML page lacks %s", want)
		}
	}
	for _, want := range []string{
		"| query/range | What is <asked> \\| here. | failed (1 of 3) |  | \n",
		"| query | 1 of 2 | 1 of 1 | \n", "```diff\nbody (-want +got):\n- <1>\n+ 2\n```", "Known: ties (ADR 1)", "- expected/postern.txt, line 3: x passes",
	} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("the Markdown page lacks %q:\n%s", want, &markdown)
		}
	}
}

func TestPolicies(t *testing.T) {
	all := runs()
	for policy, red := range map[string][]bool{"unexpected": {true, false}, "any": {true, true}, "broken": {true, false}, "never": {false, false}} {
		for i := range all {
			if err := report.Check(policy, all[i:i+1]); (err != nil) != red[i] {
				t.Errorf("%s on %s: %v", policy, all[i].Engine, err)
			}
		}
	}
	if report.Check("sometimes", all) == nil {
		t.Error("an unknown policy was taken")
	}
}

func TestJUnit(t *testing.T) {
	var b strings.Builder
	if err := report.JUnit(&b, runs()); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Suites []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &read); err != nil {
		t.Fatal(err)
	}
	s := read.Suites[0]
	if s.Tests != 6 || s.Failures != 2 || s.Errors != 1 || s.Skipped != 1 || len(s.Cases) != 6 {
		t.Errorf("%+v", s)
	}
	for _, c := range s.Cases {
		if (c.Failure != nil) != (c.Name == "query/range" || c.Name == "line 3: x passes") {
			t.Errorf("case %s: failed %v", c.Name, c.Failure != nil)
		}
	}
}

func TestRunsAreReadAsWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	want := runs()
	if err := report.Write(file, want); err != nil {
		t.Fatal(err)
	}
	got, err := report.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
