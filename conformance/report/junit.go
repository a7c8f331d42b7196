package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []junitSuite
}

type junitSuite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"timestamp,attr"`
	Cases    []junitCase
}

type junitCase struct {
	XMLName xml.Name      `xml:"testcase"`
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes runs as JUnit's XML: an engine is a suite, a recording a case. A known
// difference passes, and is told in the case's output.
func JUnit(w io.Writer, runs []Run) error {
	var all junitSuites
	for _, r := range runs {
		t := r.Total()
		s := junitSuite{
			Name: r.Engine + " " + r.Version, Tests: len(r.Cases), Failures: t.Failed + len(r.Wrong), Errors: t.Broken,
			Skipped: t.Skipped, Time: r.Date.Format("2006-01-02T15:04:05"),
		}
		for _, c := range r.Cases {
			s.Cases = append(s.Cases, c.junit(r.Engine))
		}
		for _, wrong := range r.Wrong {
			s.Tests++
			s.Cases = append(s.Cases, junitCase{
				Class: r.Engine + ".expected", Name: wrong, Time: "0",
				Failure: &junitMessage{Message: wrong},
			})
		}
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	return e.Encode(all)
}

func (c Case) junit(engine string) junitCase {
	j := junitCase{Class: engine + "." + c.Capability(), Name: c.Name, Time: fmt.Sprintf("%.3f", c.Seconds)}
	var failures, known strings.Builder
	for _, d := range c.Differences {
		if d.Why != "" {
			fmt.Fprintf(&known, "%s: %s (%s)\n", d.Title(), d.Why, d.See)
		} else {
			fmt.Fprintf(&failures, "%s\n%s\n", d.Title(), strings.Join(d.Diffs, "\n"))
		}
	}
	j.Output = known.String()
	switch c.Outcome {
	case Failed:
		j.Failure = &junitMessage{Message: "answers differ", Text: failures.String()}
	case Broken:
		j.Error = &junitMessage{Message: c.Error}
	case Skipped:
		j.Skipped = &junitMessage{Message: c.Error}
	}
	return j
}

// Title names the exchange.
func (d Difference) Title() string {
	return fmt.Sprintf("#%d, line %d: %s", d.Exchange, d.Line, d.Request)
}
