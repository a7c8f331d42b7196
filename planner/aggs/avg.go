package aggs

import "math"

type avgResult struct {
	v     *values
	count int64
	sum   kahan
}

func parseAvg(c *source) (aggregator, error) {
	a := c.a.Avg
	return parseNumericMetric(c, a.Field, a.Missing, a.Format, func(v *values) result { return &avgResult{v: v} })
}

func (r *avgResult) collect(x *collector, s *selection) error {
	_, vals := x.readDoubles(r.v, s)
	for _, v := range vals {
		r.sum.add(v)
	}
	r.count += int64(len(vals))
	return nil
}

func (r *avgResult) merge(other result) {
	o := other.(*avgResult)
	r.count += o.count
	r.sum.merge(o.sum)
}

func (r *avgResult) number() float64 {
	if r.count == 0 {
		return math.NaN()
	}
	return r.sum.sum / float64(r.count)
}

func (r *avgResult) appendBody(w *writer) { w.value(r.number(), &r.v.format) }
func (r *avgResult) prefix() string       { return "avg" }
