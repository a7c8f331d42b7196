package aggs

import (
	"strings"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/sketch"
)

const deviationCompression = 1000

type deviationResult struct {
	v         *values
	quantiles *sketch.Quantiles
}

func parseMedianAbsoluteDeviation(c *source) (aggregator, error) {
	a := c.a.MedianAbsoluteDeviation
	o := digestOptions{deviationCompression, a.ExecutionHint == gen.TDigestExecutionHintHighAccuracy}
	if a.Compression != nil {
		o.compression = *a.Compression
	}
	v, err := c.numbers(wanted{field: a.Field, missing: a.Missing, format: a.Format})
	if err != nil {
		return nil, err
	}
	if f := v.field; f != nil && (f.Type == "boolean" || strings.HasPrefix(f.Type, "date")) {
		return nil, eserr.IllegalArgument("Field [%s] of type [%s] is not supported for aggregation [median_absolute_deviation]", f.Name, f.Type)
	}
	return &numericMetric{v, func(v *values) result { return &deviationResult{v, o.quantiles()} }}, nil
}

func (r *deviationResult) collect(x *collector, s *selection) error {
	_, vals := x.readDoubles(r.v, s)
	r.quantiles.Add(vals)
	return nil
}

func (r *deviationResult) merge(other result) {
	r.quantiles.Merge(other.(*deviationResult).quantiles)
}

func (r *deviationResult) number() float64      { return r.quantiles.MedianDeviation() }
func (r *deviationResult) appendBody(w *writer) { w.value(r.number(), &r.v.format) }
func (r *deviationResult) prefix() string       { return "median_absolute_deviation" }
