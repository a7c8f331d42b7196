package aggs

type sumResult struct {
	v   *values
	sum kahan
}

func parseSum(c *source) (aggregator, error) {
	a := c.a.Sum
	return parseNumericMetric(c, a.Field, a.Missing, a.Format, func(v *values) result { return &sumResult{v: v} })
}

func (r *sumResult) collect(x *collector, s *selection) error {
	_, vals := x.readDoubles(r.v, s)
	for _, v := range vals {
		r.sum.add(v)
	}
	return nil
}

func (r *sumResult) merge(other result)   { r.sum.merge(other.(*sumResult).sum) }
func (r *sumResult) number() float64      { return r.sum.sum }
func (r *sumResult) appendBody(w *writer) { w.value(r.sum.sum, &r.v.format) }
func (r *sumResult) prefix() string       { return "sum" }
