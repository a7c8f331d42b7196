package aggs

import "math"

// extremeResult is min, or max when greatest is set. Without values it is infinite.
type extremeResult struct {
	v        *values
	greatest bool
	value    float64
}

func parseMin(c *source) (aggregator, error) {
	a := c.a.Min
	return parseNumericMetric(c, a.Field, a.Missing, a.Format, func(v *values) result { return &extremeResult{v, false, math.Inf(1)} })
}

func parseMax(c *source) (aggregator, error) {
	a := c.a.Max
	return parseNumericMetric(c, a.Field, a.Missing, a.Format, func(v *values) result { return &extremeResult{v, true, math.Inf(-1)} })
}

func (r *extremeResult) collect(x *collector, s *selection) error {
	_, vals := x.readDoubles(r.v, s)
	for _, v := range vals {
		r.add(v)
	}
	return nil
}

func (r *extremeResult) add(v float64) {
	if r.greatest {
		r.value = max(r.value, v)
	} else {
		r.value = min(r.value, v)
	}
}

func (r *extremeResult) merge(other result) { r.add(other.(*extremeResult).value) }

func (r *extremeResult) number() float64      { return r.value }
func (r *extremeResult) appendBody(w *writer) { w.value(r.value, &r.v.format) }

func (r *extremeResult) prefix() string {
	if r.greatest {
		return "max"
	}
	return "min"
}
