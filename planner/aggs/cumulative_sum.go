package aggs

import (
	"math"

	gen "postern/generated/aggs"
)

type cumulativeSum struct{}

func (cumulativeSum) apply(p *pipe, n *node, r bucketed) error {
	read := *p
	read.gap = gen.GapPolicyInsertZeros // whatever the request says
	vals, there, err := read.valuesOf(n, r)
	if err != nil {
		return err
	}
	sum := 0.0
	for i, v := range vals {
		if there[i] && !math.IsNaN(v) && !math.IsInf(v, 0) {
			sum += v
		}
		p.add(r.list().buckets[i].bucket, sum)
	}
	return nil
}
