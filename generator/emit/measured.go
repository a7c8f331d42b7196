package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"postern/spec"
)

// measured writes the share of recorded cases that each engine answers as recorded.
func measured(b *strings.Builder, runs []spec.Measured) {
	if len(runs) == 0 {
		return
	}
	b.WriteString(`
## Measured

How many of the recorded cases (conformance/recordings, by folder) each engine answers as recorded, to the byte but for what no two runs
can agree on, at the last full run. A case is a conversation of several requests; one answer that differs makes it fail, if only by the wording
of an error. The cases come from Elasticsearch 8.15.0; what its published modules lack is recorded from others, and says so.

| |`)
	folders := map[string]bool{}
	for _, r := range runs {
		fmt.Fprintf(b, " %s %s |", r.Engine, r.Version)
		for folder := range r.Cases {
			folders[folder] = true
		}
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(runs)) + "\n| date |")
	for _, r := range runs {
		fmt.Fprintf(b, " %s |", r.Date)
	}
	b.WriteString("\n")
	total := make([]spec.Share, len(runs))
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		fmt.Fprintf(b, "| %s |", folder)
		for i, r := range runs {
			share(b, r.Cases[folder])
			total[i].Passed += r.Cases[folder].Passed
			total[i].Asked += r.Cases[folder].Asked
		}
		b.WriteString("\n")
	}
	b.WriteString("| **all** |")
	for _, t := range total {
		share(b, t)
	}
	b.WriteString("\n")
}

func share(b *strings.Builder, s spec.Share) {
	if s.Asked == 0 {
		b.WriteString(" |")
		return
	}
	fmt.Fprintf(b, " %d of %d (%.0f %%) |", s.Passed, s.Asked, 100*float64(s.Passed)/float64(s.Asked))
}
