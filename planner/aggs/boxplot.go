package aggs

import (
	"math"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/sketch"
)

// boxplot is the quartiles of a field's values, and how far the values within one and a
// half times their distance reach.
type boxplot struct {
	v      *values
	digest digestOptions
}

type boxplotResult struct {
	*boxplot
	quantiles *sketch.Quantiles
	min, max  float64
}

func parseBoxplot(c *source) (aggregator, error) {
	a := c.a.Boxplot
	v, err := c.numbers(wanted{field: a.Field, missing: a.Missing})
	if err != nil {
		return nil, err
	}
	if f := v.field; f != nil && v.format.shown() {
		return nil, eserr.IllegalArgument("Field [%s] of type [%s] is not supported for aggregation [boxplot]", f.Name, f.Type)
	}
	out := &boxplot{v: v, digest: digestOptions{defaultCompression, a.ExecutionHint == gen.TDigestExecutionHintHighAccuracy}}
	if a.Compression != nil {
		out.digest.compression = *a.Compression
	}
	return out, nil
}

func (a *boxplot) empty(*node) result {
	return &boxplotResult{boxplot: a, quantiles: a.digest.quantiles(), min: math.Inf(1), max: math.Inf(-1)}
}

func (r *boxplotResult) collect(x *collector, s *selection) error {
	_, vals := x.readDoubles(r.v, s)
	for _, v := range vals {
		r.min, r.max = min(r.min, v), max(r.max, v)
	}
	r.quantiles.Add(vals)
	return nil
}

func (r *boxplotResult) merge(other result) {
	o := other.(*boxplotResult)
	r.min, r.max = min(r.min, o.min), max(r.max, o.max)
	r.quantiles.Merge(o.quantiles)
}

// figures are all there are, in the order of the answer.
func (r *boxplotResult) figures() [7]float64 {
	q1, q2, q3 := r.quantiles.Quantile(0.25), r.quantiles.Quantile(0.5), r.quantiles.Quantile(0.75)
	lower, upper := r.quantiles.Between(q1-1.5*(q3-q1), q3+1.5*(q3-q1))
	return [7]float64{r.min, r.max, q1, q2, q3, lower, upper}
}

func boxplotNames() [7]string { return [7]string{"min", "max", "q1", "q2", "q3", "lower", "upper"} }

func (r *boxplotResult) figure(name string) (float64, bool) {
	all := r.figures()
	for i, n := range boxplotNames() {
		if n == name {
			return all[i], true
		}
	}
	return 0, false
}

func (r *boxplotResult) appendBody(w *writer) {
	all := r.figures()
	for i, name := range boxplotNames() {
		w.float(name, all[i])
	}
}

func (r *boxplotResult) prefix() string { return "boxplot" }
