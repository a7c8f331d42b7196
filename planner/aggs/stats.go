package aggs

import "math"

type statsResult struct {
	v        *values
	count    int64
	min, max float64
	sum      kahan
}

func parseStats(c *source) (aggregator, error) {
	a := c.a.Stats
	return parseNumericMetric(c, a.Field, a.Missing, a.Format, func(v *values) result {
		return &statsResult{v: v, min: math.Inf(1), max: math.Inf(-1)}
	})
}

func (r *statsResult) collect(x *collector, s *selection) error {
	_, vals := x.readDoubles(r.v, s)
	r.add(vals)
	return nil
}

func (r *statsResult) add(vals []float64) {
	for _, v := range vals {
		r.sum.add(v)
		r.min, r.max = min(r.min, v), max(r.max, v)
	}
	r.count += int64(len(vals))
}

func (r *statsResult) merge(other result) {
	o := other.(*statsResult)
	r.count += o.count
	r.sum.merge(o.sum)
	r.min, r.max = min(r.min, o.min), max(r.max, o.max)
}

func (r *statsResult) avg() float64 {
	if r.count == 0 {
		return math.NaN()
	}
	return r.sum.sum / float64(r.count)
}

// figure is one of the figures by name.
func (r *statsResult) figure(name string) (float64, bool) {
	switch name {
	case "count":
		return float64(r.count), true
	case "min":
		return r.min, true
	case "max":
		return r.max, true
	case "avg":
		return r.avg(), true
	case "sum":
		return r.sum.sum, true
	}
	return 0, false
}

func (r *statsResult) appendBody(w *writer) {
	w.int("count", r.count)
	for _, name := range []string{"min", "max", "avg"} {
		v, _ := r.figure(name)
		w.floatOrNull(name, v)
	}
	w.float("sum", r.sum.sum)
	if r.count == 0 || !r.v.format.shown() {
		return
	}
	for _, name := range []string{"min", "max", "avg", "sum"} {
		v, _ := r.figure(name)
		w.bound(name+"_as_string", &r.v.format, v)
	}
}

func (r *statsResult) prefix() string { return "stats" }
