package aggs

import (
	"math"

	gen "postern/generated/aggs"
)

type normalize struct{ method gen.NormalizeMethod }

func (m normalize) apply(p *pipe, n *node, r bucketed) error {
	vals, there, err := p.valuesOf(n, r)
	if err != nil {
		return err
	}
	for i := range vals {
		if !there[i] {
			vals[i] = math.NaN()
		}
	}
	scale := m.scale(vals)
	for i, v := range vals {
		if !math.IsNaN(v) {
			v = scale(v)
		}
		p.add(r.list().buckets[i].bucket, v)
	}
	return nil
}

// scale is the function that the method maps values by; values that are no number don't
// count.
func (m normalize) scale(vals []float64) func(float64) float64 {
	low, high, sum, n := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for _, v := range vals {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
			sum += v
			n++
		}
	}
	mean := sum / n
	switch m.method {
	case gen.NormalizeMethodRescale01:
		return func(v float64) float64 { return (v - low) / (high - low) }
	case gen.NormalizeMethodRescale0100:
		return func(v float64) float64 { return 100 * (v - low) / (high - low) }
	case gen.NormalizeMethodPercentOfSum:
		return func(v float64) float64 { return v / sum }
	case gen.NormalizeMethodMean:
		return func(v float64) float64 { return (v - mean) / (high - low) }
	case gen.NormalizeMethodZScore:
		squares := 0.0
		for _, v := range vals {
			if !math.IsNaN(v) {
				squares += (v - mean) * (v - mean)
			}
		}
		deviation := math.Sqrt(squares / n)
		return func(v float64) float64 { return (v - mean) / deviation }
	}
	exponentials := 0.0
	for _, v := range vals {
		if !math.IsNaN(v) {
			exponentials += math.Exp(v)
		}
	}
	return func(v float64) float64 { return math.Exp(v) / exponentials }
}
