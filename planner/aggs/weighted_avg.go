package aggs

import (
	"math"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

type weightedAvg struct {
	value, weight *values
	format        format
}

type weightedAvgResult struct {
	*weightedAvg
	sum, weights kahan
}

func parseWeightedAvg(c *source) (aggregator, error) {
	a := c.a.WeightedAvg
	w := &weightedAvg{}
	var err error
	if w.value, err = c.weighted(a.Value, a.Format); err != nil {
		return nil, err
	}
	if a.Weight == nil {
		return nil, eserr.IllegalArgument("Could not find field name [weight] in multiValuesSource")
	}
	if w.weight, err = c.weighted(a.Weight, nil); err != nil {
		return nil, err
	}
	w.format = w.value.format
	if a.Format == nil {
		w.format = format{} // dates and booleans are shown as numbers
	}
	return w, nil
}

// checkWeightedAvg says that there is no value, in plainer words than Elasticsearch's.
func checkWeightedAvg(a *gen.WeightedAverageAggregation) error {
	if a.Value == nil {
		return eserr.IllegalArgument("Could not find field name [value] in multiValuesSource")
	}
	return nil
}

func (c *source) weighted(a *gen.WeightedAverageValue, pattern *string) (*values, error) {
	w := wanted{field: a.Field, missing: a.Missing, format: pattern, unmapped: mapping.KindDouble, points: true}
	v, err := c.values(w)
	if err != nil {
		return nil, err
	}
	if v.field != nil && v.as != mapping.KindLong && v.as != mapping.KindDouble {
		return nil, eserr.IllegalArgument("Expected numeric type on field [%s], but got [%s]", *a.Field, v.field.Type)
	}
	return v, nil
}

func (a *weightedAvg) empty(*node) result { return &weightedAvgResult{weightedAvg: a} }

func (r *weightedAvgResult) collect(x *collector, s *selection) error {
	docs, vals := x.readDoubles(r.weight, s)
	// The next read takes the same memory.
	weights, of := append([]float64(nil), vals...), append([]uint32(nil), docs...)
	docs, vals = x.readDoubles(r.value, s)
	at := 0
	for i, d := range docs {
		for at < len(of) && of[at] < d {
			at++
		}
		if at == len(of) {
			break
		}
		if of[at] != d {
			continue
		}
		if at+1 < len(of) && of[at+1] == d {
			return eserr.IllegalArgument("Encountered more than one weight for a single document. Use a script to combine multiple weights-per-doc into a single value.")
		}
		r.sum.add(vals[i] * weights[at])
		r.weights.add(weights[at])
	}
	return nil
}

func (r *weightedAvgResult) merge(other result) {
	o := other.(*weightedAvgResult)
	r.sum.merge(o.sum)
	r.weights.merge(o.weights)
}

func (r *weightedAvgResult) number() float64 {
	if r.weights.sum == 0 {
		return math.NaN()
	}
	return r.sum.sum / r.weights.sum
}

func (r *weightedAvgResult) appendBody(w *writer) { w.value(r.number(), &r.format) }
func (r *weightedAvgResult) prefix() string       { return "weighted_avg" }
