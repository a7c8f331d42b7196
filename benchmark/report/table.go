package report

import (
	"fmt"
	"strings"
)

// Table is the run as Markdown: a table for each profile and number of clients; ratios are
// of p50 to the faster native's, with their bootstrap intervals.
func (r Run) Table() string {
	var b strings.Builder
	dirty := ""
	if r.Dirty {
		dirty = ", with uncommitted changes"
	}
	fmt.Fprintf(&b, "%s, %d documents, seed %d; revision %s%s; %s.\n", r.Corpus, r.Documents, r.Seed, r.Revision, dirty, r.Time.Format("2006-01-02 15:04 MST"))
	fmt.Fprintf(&b, "%s, %d CPUs (%s), %d MiB, %s. %s.\n", r.Machine.OS, r.Machine.CPUs, r.Machine.CPU, r.Machine.MemoryMiB, r.Machine.Go, r.Budget)
	var engines []Engine
	for _, e := range r.Engines {
		if e.Name != nullEngine {
			engines = append(engines, e)
			fmt.Fprintf(&b, "%s is version %s.\n", e.Name, e.Version)
		}
	}
	b.WriteString("Milliseconds are p50 / p95 / p99, medians over the trials, and the range of the trials' p50; every answer was checked.\n")
	section := ""
	for _, q := range r.Questions() {
		if q.Profile == nullEngine {
			continue
		}
		if s := fmt.Sprintf("%s, %s", q.Profile, plural(q.Clients, "client")); s != section {
			section = s
			fmt.Fprintf(&b, "\n## %s\n\n", s)
			r.head(&b, engines)
		}
		r.row(&b, engines, q)
	}
	r.loads(&b, engines)
	r.memory(&b)
	r.nulls(&b)
	return b.String()
}

const nullEngine = "null"

func (r Run) head(b *strings.Builder, engines []Engine) {
	b.WriteString("| work |")
	for _, e := range engines {
		fmt.Fprintf(b, " %s |", e.Name)
	}
	for _, e := range engines {
		if !e.Native {
			fmt.Fprintf(b, " %s: ratio | of null |", e.Name)
		}
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(engines)))
	for _, e := range engines {
		if !e.Native {
			b.WriteString("---|---|")
		}
	}
	b.WriteByte('\n')
}

func (r Run) row(b *strings.Builder, engines []Engine, q Question) {
	fmt.Fprintf(b, "| %s |", strings.TrimSpace(q.Workload+" "+q.Class))
	for _, e := range engines {
		c, ok := r.Cell(e.Name, q)
		if !ok {
			b.WriteString(" – |")
			continue
		}
		fmt.Fprintf(b, " %.3f / %.3f / %.3f (%.3f–%.3f), %.0f/s |", c.P50, c.P95, c.P99, c.Low, c.High, c.PerSecond)
	}
	native, has := r.Native(q)
	null, hasNull := r.Cell(nullEngine, Question{nullEngine, nullEngine, "", q.Clients})
	for _, e := range engines {
		if e.Native {
			continue
		}
		c, ok := r.Cell(e.Name, q)
		if ok && has {
			ratio := NewRatio(c, native)
			fmt.Fprintf(b, " **%.2f** (%.2f–%.2f) |", ratio.Value, ratio.Low, ratio.High)
		} else {
			b.WriteString(" – |")
		}
		if ok && hasNull {
			fmt.Fprintf(b, " %.2f |", c.P50/null.P50)
		} else {
			b.WriteString(" – |")
		}
	}
	b.WriteByte('\n')
}

func (r Run) loads(b *strings.Builder, engines []Engine) {
	if len(r.Loads) == 0 {
		return
	}
	b.WriteString("\n## ingest until searchable, 1 client\n\n| engine | documents/s, a trial each | median | of the faster native |\n|---|---|---|---|\n")
	of := func(engine string) (all []float64) {
		for _, l := range r.Loads {
			if l.Engine == engine {
				all = append(all, l.PerSecond)
			}
		}
		return all
	}
	fastest := 0.0
	for _, e := range engines {
		if all := of(e.Name); e.Native && len(all) > 0 {
			fastest = max(fastest, median(all))
		}
	}
	for _, e := range engines {
		if all := of(e.Name); len(all) > 0 {
			fmt.Fprintf(b, "| %s | %.0f | %.0f | %.2f |\n", e.Name, all, median(all), median(all)/fastest)
		}
	}
}

func (r Run) memory(b *strings.Builder) {
	if len(r.Memory) > 0 {
		b.WriteString("\n## resident memory, MiB\n\n| engine | idle | ten seconds after loading | peak under load |\n|---|---|---|---|\n")
		for _, m := range r.Memory {
			peak := 0.0
			for _, t := range r.Trials {
				if t.Engine == m.Engine {
					peak = max(peak, t.PeakMiB)
				}
			}
			fmt.Fprintf(b, "| %s | %.0f | %.0f | %.0f |\n", m.Engine, m.IdleMiB, m.Loaded, peak)
		}
	}
	if len(r.Starts) > 0 {
		b.WriteString("\n## start over the loaded data, until the first right answer\n\n| engine | seconds |\n|---|---|\n")
		for _, s := range r.Starts {
			fmt.Fprintf(b, "| %s | %.2f |\n", s.Engine, s.Seconds)
		}
	}
}

// nulls tells how far the load generator itself is from being the bottleneck.
func (r Run) nulls(b *strings.Builder) {
	b.WriteString("\n## the load generator\n\n")
	for _, q := range r.Questions() {
		if c, ok := r.Cell(nullEngine, q); ok {
			fmt.Fprintf(b, "A null server (fiber, a fixed 4 kB body): %.3f ms p50, %.0f requests/s with %s.\n", c.P50, c.PerSecond, plural(q.Clients, "client"))
		}
	}
	busiest := 0.0
	for _, t := range r.Trials {
		if t.Engine != nullEngine {
			busiest = max(busiest, t.LoadCPU)
		}
	}
	fmt.Fprintf(b, "The load generator used at most %.2f cores beside an engine.\n", busiest)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
