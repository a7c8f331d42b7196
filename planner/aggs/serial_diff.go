package aggs

import (
	"math"

	gen "postern/generated/aggs"
)

type serialDiff struct{ lag int }

func newSerialDiff(a *gen.SerialDifferencingAggregation) serialDiff {
	if a.Lag != nil {
		return serialDiff{*a.Lag}
	}
	return serialDiff{1}
}

func (d serialDiff) apply(p *pipe, n *node, r bucketed) error {
	vals, there, err := p.valuesOf(n, r)
	if err != nil {
		return err
	}
	for i := d.lag; i < len(vals); i++ {
		before, now := vals[i-d.lag], vals[i]
		if there[i] && there[i-d.lag] && !math.IsNaN(before) && !math.IsNaN(now) {
			p.add(r.list().buckets[i].bucket, now-before)
		}
	}
	return nil
}
