package main

import (
	"fmt"
	"slices"
	"strings"
)

// table is the report as Markdown: the median over trials of each trial's p50, p95 and
// p99, and the ratio of the first engine's p50 to the second's.
func (r *report) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents, seed %d, %d CPUs, %s, revision %s\n\n", r.Documents, r.Seed, r.CPUs, r.Go, r.Revision)
	b.WriteString("| work |")
	for _, e := range r.Engines {
		fmt.Fprintf(&b, " %s %s p50 / p95 / p99 ms |", e.Name, e.Version)
	}
	b.WriteString(" ratio |\n|---|")
	b.WriteString(strings.Repeat("---|", len(r.Engines)+1))
	b.WriteByte('\n')
	var names []string
	for _, t := range r.Trials {
		if !slices.Contains(names, t.Workload) && t.Engine != "null" {
			names = append(names, t.Workload)
		}
	}
	for _, name := range names {
		fmt.Fprintf(&b, "| %s |", name)
		var p50s []float64
		for _, e := range r.Engines {
			p50 := r.over(e.Name, name, func(t trial) float64 { return t.P50 })
			p50s = append(p50s, p50)
			fmt.Fprintf(&b, " %.3f / %.3f / %.3f |", p50,
				r.over(e.Name, name, func(t trial) float64 { return t.P95 }),
				r.over(e.Name, name, func(t trial) float64 { return t.P99 }))
		}
		b.WriteString(ratio(p50s))
	}
	row := func(name, format string, values map[string][]float64) {
		fmt.Fprintf(&b, "| %s |", name)
		var medians []float64
		for _, e := range r.Engines {
			m := 0.0
			if v := values[e.Name]; len(v) > 0 {
				m = median(v)
			}
			medians = append(medians, m)
			fmt.Fprintf(&b, format, m)
		}
		b.WriteString(ratio(medians))
	}
	row("searchable ingest, documents/s", " %.0f |", r.Ingest)
	row("resident memory after loading, MiB", " %.0f |", r.Resident)
	fmt.Fprintf(&b, "\nnull server: %.3f ms p50\n", r.over("null", "null", func(t trial) float64 { return t.P50 }))
	return b.String()
}

func ratio(v []float64) string {
	if len(v) < 2 || v[1] == 0 {
		return " – |\n"
	}
	return fmt.Sprintf(" %.2f |\n", v[0]/v[1])
}

func (r *report) over(engine, workload string, of func(trial) float64) float64 {
	var v []float64
	for _, t := range r.Trials {
		if t.Engine == engine && t.Workload == workload {
			v = append(v, of(t))
		}
	}
	if len(v) == 0 {
		return 0
	}
	return median(v)
}
