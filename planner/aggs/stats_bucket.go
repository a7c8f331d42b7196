package aggs

import "math"

type statsBucket struct{}

type statsBucketResult struct{ statsResult }

func (statsBucket) combine(p *pipe, _ []string, vals []float64) appender {
	return &statsBucketResult{statsOf(p, vals)}
}

// statsOf sums without compensation, as pipelines do.
func statsOf(p *pipe, vals []float64) statsResult {
	r := statsResult{v: &values{format: p.format}, min: math.Inf(1), max: math.Inf(-1)}
	r.add(vals)
	r.sum = kahan{sum: plainSum(vals)}
	return r
}

func (r *statsBucketResult) prefix() string { return "stats_bucket" }
