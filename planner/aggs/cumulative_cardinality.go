package aggs

import (
	"postern/internal/eserr"
	"postern/internal/sketch"
)

// cumulativeCardinality counts the distinct values of all buckets up to each one.
type cumulativeCardinality struct{}

type cumulativeCardinalityResult struct {
	count  int64
	format *format
}

func (cumulativeCardinality) apply(p *pipe, n *node, r bucketed) error {
	path, err := parsePath(p.paths[0])
	if err != nil {
		return err
	}
	var seen *sketch.Distinct
	buckets := r.list().buckets
	for i := range buckets {
		found, err := bucketProperty(n, r, &buckets[i], names(path))
		if err != nil {
			return err
		}
		c, ok := found.(*cardinalityResult)
		if !ok {
			return eserr.IllegalArgument("buckets_path must reference a cardinality aggregation, got: [%s] at aggregation [%s]", className(found), path[0].name)
		}
		if seen == nil {
			seen = sketch.NewDistinct(c.threshold)
		}
		seen.Merge(c.seen)
		buckets[i].added = append(buckets[i].added, addition{p, &cumulativeCardinalityResult{seen.Count(), &p.format}})
	}
	return nil
}

func (r *cumulativeCardinalityResult) number() float64 { return float64(r.count) }

func (r *cumulativeCardinalityResult) appendBody(w *writer) {
	w.int("value", r.count)
	if r.format.shown() {
		w.string("value_as_string", r.format.long(r.count))
	}
}

func (r *cumulativeCardinalityResult) prefix() string { return "simple_long_value" }
