package report

import (
	"math/rand/v2"
	"slices"
)

// A Question is what can be compared between engines: trials of one of them are never pooled
// with trials of another.
type Question struct {
	Profile, Workload, Class string
	Clients                  int
}

// A Cell is one engine's trials of one question.
type Cell struct {
	P50, P95, P99, PerSecond float64 // medians of the trials' own
	Low, High                float64 // the range of the trials' medians
	times                    [][]float64
}

// Questions lists what was asked, in the order it was first asked.
func (r Run) Questions() []Question {
	var all []Question
	for _, t := range r.Trials {
		if q := (Question{t.Profile, t.Workload, t.Class, t.Clients}); !slices.Contains(all, q) {
			all = append(all, q)
		}
	}
	return all
}

// Cell gathers an engine's trials of a question; ok is false if there are none.
func (r Run) Cell(engine string, q Question) (c Cell, ok bool) {
	var p50, p95, p99, perSecond []float64
	for _, t := range r.Trials {
		if t.Engine != engine || (Question{t.Profile, t.Workload, t.Class, t.Clients}) != q {
			continue
		}
		p50, p95, p99, perSecond = append(p50, t.P50), append(p95, t.P95), append(p99, t.P99), append(perSecond, t.PerSecond)
		c.times = append(c.times, t.Times)
	}
	if len(p50) == 0 {
		return c, false
	}
	c.P50, c.P95, c.P99, c.PerSecond = median(p50), median(p95), median(p99), median(perSecond)
	c.Low, c.High = slices.Min(p50), slices.Max(p50)
	return c, true
}

// Native is the cell of the native engine with the lowest p50.
func (r Run) Native(q Question) (fastest Cell, ok bool) {
	for _, e := range r.Engines {
		if !e.Native {
			continue
		}
		if c, has := r.Cell(e.Name, q); has && (!ok || c.P50 < fastest.P50) {
			fastest, ok = c, true
		}
	}
	return fastest, ok
}

// A Ratio is a's p50 to b's, with the interval that holds 95 of 100 bootstrap samples:
// trials are drawn again, and within each the times.
type Ratio struct{ Value, Low, High float64 }

const resamples = 400

// NewRatio compares two cells.
func NewRatio(a, b Cell) Ratio {
	rng := rand.New(rand.NewPCG(1, 2))
	ratios := make([]float64, resamples)
	for i := range ratios {
		ratios[i] = resampled(rng, a) / resampled(rng, b)
	}
	slices.Sort(ratios)
	return Ratio{Value: a.P50 / b.P50, Low: quantile(ratios, .025), High: quantile(ratios, .975)}
}

// resampled is the median of trial medians of one bootstrap sample of a cell.
func resampled(rng *rand.Rand, c Cell) float64 {
	medians := make([]float64, len(c.times))
	var draw []float64
	for i := range medians {
		times := c.times[rng.IntN(len(c.times))]
		draw = draw[:0]
		for range times {
			draw = append(draw, times[rng.IntN(len(times))])
		}
		medians[i] = median(draw)
	}
	return median(medians)
}
