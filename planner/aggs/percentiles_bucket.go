package aggs

import (
	"math"
	"slices"
	"strconv"

	gen "postern/generated/aggs"
)

type percentilesBucket struct {
	percents []float64
	keyed    bool
}

// percentilesBucketResult has of each percentage the nearest value.
type percentilesBucketResult struct {
	percentilesBucket
	format *format
	sorted []float64
}

func newPercentilesBucket(a *gen.PercentilesBucketAggregation) percentilesBucket {
	p := percentilesBucket{a.Percents, a.Keyed == nil || *a.Keyed}
	if p.percents == nil {
		p.percents = defaultPercents()
	}
	return p
}

func (b percentilesBucket) combine(p *pipe, _ []string, vals []float64) appender {
	return &percentilesBucketResult{b, &p.format, slices.Sorted(slices.Values(vals))}
}

func (r *percentilesBucketResult) at(percent float64) float64 {
	if len(r.sorted) == 0 {
		return math.NaN()
	}
	return r.sorted[int(math.Floor(percent/100*float64(len(r.sorted)-1)+0.5))]
}

func (r *percentilesBucketResult) figure(name string) (float64, bool) {
	p, err := strconv.ParseFloat(name, 64)
	if err != nil || !slices.Contains(r.percents, p) {
		return 0, false
	}
	return r.at(p), true
}

func (r *percentilesBucketResult) appendBody(w *writer) {
	vals := make([]float64, len(r.percents))
	for i, p := range r.percents {
		vals[i] = r.at(p)
	}
	w.points(r.percents, vals, r.keyed, r.format)
}

func (r *percentilesBucketResult) prefix() string { return "percentiles_bucket" }
