package aggs

import (
	gen "postern/generated/aggs"
	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

// rate is how many documents or values, or what sum of values, a date histogram's bucket
// has in each unit of time.
type rate struct {
	v        *values // nil: documents
	format   format
	count    bool // of values, not their sum
	rounding *datemath.Rounding
	unit     *datemath.Unit // nil: the whole bucket
}

type rateResult struct {
	*rate
	total kahan
	units float64 // of the bucket
}

func parseRate(c *source) (aggregator, error) {
	a := c.a.Rate
	if c.rounding == nil {
		for _, kind := range c.within {
			if kind == gen.KindComposite {
				return nil, eserr.Refused("[rate] aggregation is not supported inside a [composite]")
			}
		}
		return nil, eserr.IllegalArgument("The rate aggregation can only be used inside a date histogram aggregation or composite aggregation with exactly one date histogram value source")
	}
	out := &rate{rounding: c.rounding, count: a.Mode == gen.RateModeValueCount}
	if a.Unit != 0 {
		unit := unitOf(a.Unit)
		if err := c.rounding.Divisible(unit); err != nil {
			return nil, err
		}
		out.unit = &unit
	}
	if a.Field == nil {
		f, err := formatOf(&mapping.Field{Kind: mapping.KindDouble}, a.Format, nil)
		out.format = f
		return out, err
	}
	v, err := c.numbers(wanted{field: a.Field, missing: a.Missing, format: a.Format})
	if err != nil {
		return nil, err
	}
	out.v, out.format = v, v.format
	return out, nil
}

// checkRate finds what is wrong with a request whatever the index.
func checkRate(a *gen.RateAggregation) error {
	if a.Field == nil && a.Mode != 0 {
		return eserr.IllegalArgument("The mode parameter is only supported with field or script")
	}
	return nil
}

func (a *rate) empty(*node) result { return &rateResult{rate: a, units: 1} }

func (r *rateResult) collect(x *collector, s *selection) error {
	if r.v == nil {
		r.total.add(float64(s.len()))
		return nil
	}
	_, vals := x.readDoubles(r.v, s)
	if r.count {
		r.total.add(float64(len(vals)))
		return nil
	}
	for _, v := range vals {
		r.total.add(v)
	}
	return nil
}

func (r *rateResult) merge(other result) { r.total.merge(other.(*rateResult).total) }

// measureRates tells the rates in a date histogram's bucket how long it is.
func measureRates(rounding *datemath.Rounding, begin int64, nodes []*node, b *bucket) {
	for i, n := range nodes {
		switch r := b.subs[i].(type) {
		case *rateResult:
			if r.rounding == rounding && r.unit != nil {
				r.units = rounding.Size(begin, *r.unit)
			}
		case holder:
			measureRates(rounding, begin, n.subs, r.holds())
		case bucketed:
			if !hasRate(n.subs) {
				continue
			}
			r.reduce()
			for j := range r.list().buckets {
				measureRates(rounding, begin, n.subs, r.list().buckets[j].bucket)
			}
		}
	}
}

func hasRate(nodes []*node) bool {
	for _, n := range nodes {
		if _, ok := n.agg.(*rate); ok || hasRate(n.subs) {
			return true
		}
	}
	return false
}

func (r *rateResult) number() float64      { return r.total.sum / r.units }
func (r *rateResult) appendBody(w *writer) { w.value(r.number(), &r.format) }
func (r *rateResult) prefix() string       { return "rate" }
