package aggs

import gen "postern/generated/aggs"

type extendedStatsBucket struct{ sigma float64 }

type extendedStatsBucketResult struct{ extendedStatsResult }

func newExtendedStatsBucket(a *gen.ExtendedStatsBucketAggregation) extendedStatsBucket {
	if a.Sigma != nil {
		return extendedStatsBucket{*a.Sigma}
	}
	return extendedStatsBucket{defaultSigma}
}

func (e extendedStatsBucket) combine(p *pipe, _ []string, vals []float64) appender {
	r := &extendedStatsBucketResult{extendedStatsResult{statsResult: statsOf(p, vals), sigma: e.sigma}}
	for _, v := range vals {
		r.squares.sum += v * v
	}
	return r
}

func (r *extendedStatsBucketResult) prefix() string { return "extended_stats_bucket" }
