package aggs

import (
	gen "postern/generated/aggs"
	"postern/internal/eserr"
)

// movingPercentiles merges the percentiles of a window of buckets before each one.
type movingPercentiles struct{ window, shift int }

func newMovingPercentiles(a *gen.MovingPercentilesAggregation) movingPercentiles {
	m := movingPercentiles{}
	if a.Window != nil {
		m.window = *a.Window
	}
	if a.Shift != nil {
		m.shift = *a.Shift
	}
	return m
}

func (m movingPercentiles) apply(p *pipe, n *node, r bucketed) error {
	path, err := parsePath(p.paths[0])
	if err != nil {
		return err
	}
	buckets := r.list().buckets
	found := make([]*percentilesResult, len(buckets))
	for i := range buckets {
		property, err := bucketProperty(n, r, &buckets[i], names(path))
		if err != nil {
			return err
		}
		var ok bool
		if found[i], ok = property.(*percentilesResult); !ok || found[i].ranks {
			return eserr.IllegalArgument("buckets_path must reference a percentiles aggregation, got: [%s] at aggregation [%s]", className(property), path[0].name)
		}
	}
	clamp := func(i int) int { return min(max(i, 0), len(buckets)) }
	for i := range buckets {
		var sum *percentilesResult
		for _, one := range found[clamp(i-m.window+m.shift):clamp(i+m.shift)] {
			if sum == nil {
				sum = one.percentiles.empty(nil).(*percentilesResult)
			}
			sum.merge(one)
		}
		if sum != nil {
			buckets[i].added = append(buckets[i].added, addition{p, sum})
		}
	}
	return nil
}
