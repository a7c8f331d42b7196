package report

import (
	"fmt"
	"strings"
)

// Compare tells as Markdown how b differs from a, engine by engine and question by question.
// A difference counts where the bootstrap interval of the ratio leaves out 1 and the ranges
// of the trials' medians do not meet: everything else is within the noise of the two runs.
func Compare(a, b Run) (string, error) {
	if a.Corpus != b.Corpus || a.Documents != b.Documents || a.DataHash != b.DataHash {
		return "", fmt.Errorf("the runs are about different documents: %s of %d and %s of %d", a.Corpus, a.Documents, b.Corpus, b.Documents)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "A is revision %s, B is revision %s.\n\n| engine | profile | work | clients | A ms | B ms | B to A | |\n|---|---|---|---|---|---|---|---|\n", a.Revision, b.Revision)
	compared := 0
	for _, e := range a.Engines {
		for _, q := range a.Questions() {
			before, ok := a.Cell(e.Name, q)
			after, has := b.Cell(e.Name, q)
			if !ok || !has {
				continue
			}
			compared++
			r := NewRatio(after, before)
			verdict := "within the noise"
			switch {
			case r.High < 1 && after.High < before.Low:
				verdict = "**faster**"
			case r.Low > 1 && after.Low > before.High:
				verdict = "**slower**"
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %d | %.3f (%.3f–%.3f) | %.3f (%.3f–%.3f) | %.2f (%.2f–%.2f) | %s |\n", e.Name, q.Profile,
				strings.TrimSpace(q.Workload+" "+q.Class), q.Clients, before.P50, before.Low, before.High, after.P50, after.Low, after.High, r.Value, r.Low, r.High, verdict)
		}
	}
	if compared == 0 {
		return "", fmt.Errorf("the runs have no question to an engine in common")
	}
	return out.String(), nil
}
