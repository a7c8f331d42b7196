package main

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"postern/conformance/report"
	"postern/conformance/suite"
)

// progress tells how far replays are: a bar that is drawn again on a terminal; elsewhere a
// line for each tenth of the cases.
type progress struct {
	mu       sync.Mutex
	total    int
	done     int
	failed   int
	terminal bool
}

func newProgress(total int) *progress {
	info, err := os.Stderr.Stat()
	return &progress{total: total, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("CI") == ""}
}

// step is called after each case.
func (p *progress) step(r suite.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if len(r.Failures) > 0 || r.Err != nil && !r.Skipped() {
		p.failed++
	}
	const width = 30
	switch {
	case p.terminal:
		full := p.done * width / p.total
		fmt.Fprintf(os.Stderr, "\r[%s%s] %d of %d, %d differ", strings.Repeat("=", full), strings.Repeat(" ", width-full), p.done, p.total, p.failed)
		if p.done == p.total {
			fmt.Fprint(os.Stderr, "\r\033[K")
		}
	case p.done == p.total || p.done*10/p.total != (p.done-1)*10/p.total:
		fmt.Fprintf(os.Stderr, "%d of %d, %d differ\n", p.done, p.total, p.failed)
	}
}

// show prints what differs in a run, and its totals.
func show(run report.Run, quiet bool) {
	for _, c := range run.Cases {
		switch c.Outcome {
		case report.Skipped:
			fmt.Printf("SKIP %s: %s\n", c.Name, c.Error)
		case report.Broken:
			fmt.Printf("FAIL %s on %s\n  %s\n", c.Name, run.Engine, c.Error)
		case report.Failed:
			fmt.Printf("FAIL %s on %s\n", c.Name, run.Engine)
			for _, d := range c.Differences {
				if !quiet && d.Why == "" {
					fmt.Printf("  %s\n    %s\n", d.Title(), strings.Join(d.Diffs, "\n    "))
				}
			}
		}
	}
	for _, wrong := range run.Wrong {
		fmt.Printf("FAIL expected/%s.txt, %s\n", run.Engine, wrong)
	}
	fmt.Printf("%s %s: %s\n", run.Engine, run.Version, run.Total())
}
