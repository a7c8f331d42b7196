package aggs

import (
	"math"
	"time"

	gen "postern/generated/aggs"
	"postern/internal/datemath"
	"postern/internal/xcontent"
)

// derivative is the difference of each bucket's value from that of the bucket before.
type derivative struct {
	unit string // that the difference is told for, too; "" for none
}

type derivativeResult struct {
	simpleValue
	units float64 // between the buckets; 0 when there is no unit
}

func newDerivative(a *gen.DerivativeAggregation) derivative {
	if a.Unit == nil {
		return derivative{}
	}
	return derivative{*a.Unit}
}

// calendarUnit is the length that derivatives and rates take an interval of the calendar
// for; ok is false for a word that is none.
func calendarUnit(word string) (unit datemath.Unit, length time.Duration, ok bool) {
	const day = 24 * time.Hour
	switch word {
	case "second", "1s":
		return datemath.Second, time.Second, true
	case "minute", "1m":
		return datemath.Minute, time.Minute, true
	case "hour", "1h":
		return datemath.Hour, time.Hour, true
	case "day", "1d":
		return datemath.Day, day, true
	case "week", "1w":
		return datemath.Week, 7 * day, true
	case "month", "1M":
		return datemath.Month, 30 * day, true
	case "quarter", "1q":
		return datemath.Quarter, 90 * day, true
	case "year", "1y":
		return datemath.Year, 365 * day, true
	}
	return 0, 0, false
}

func (d derivative) length() (float64, error) {
	if d.unit == "" {
		return 0, nil
	}
	if _, length, ok := calendarUnit(d.unit); ok {
		return float64(length.Milliseconds()), nil
	}
	var length xcontent.Duration
	if err := xcontent.ParseDuration(&length, d.unit, "DerivativePipelineAggregationBuilder.unit"); err != nil {
		return 0, err
	}
	return float64(length.D.Milliseconds()), nil
}

func (d derivative) apply(p *pipe, n *node, r bucketed) error {
	length, err := d.length()
	if err != nil {
		return err
	}
	vals, there, err := p.valuesOf(n, r)
	if err != nil {
		return err
	}
	buckets := r.list().buckets
	for i := 1; i < len(vals); i++ {
		if !there[i] || !there[i-1] {
			continue
		}
		out := &derivativeResult{simpleValue: simpleValue{vals[i] - vals[i-1], &p.format}}
		if length > 0 {
			out.units = float64(buckets[i].long-buckets[i-1].long) / length
		}
		buckets[i].added = append(buckets[i].added, addition{p, out})
	}
	return nil
}

func (r *derivativeResult) figure(name string) (float64, bool) {
	switch name {
	case "value":
		return r.value, true
	case "normalized_value":
		return r.normalized(), true
	}
	return 0, false
}

func (r *derivativeResult) normalized() float64 {
	if r.units > 0 {
		return r.value / r.units
	}
	return r.value
}

func (r *derivativeResult) appendBody(w *writer) {
	r.simpleValue.appendBody(w)
	if r.units <= 0 {
		return
	}
	v := r.normalized()
	w.floatOrNull("normalized_value", v)
	if r.format.shown() && !math.IsNaN(v) && !math.IsInf(v, 0) {
		w.string("normalized_value_as_string", r.format.double(v))
	}
}

func (r *derivativeResult) prefix() string { return "derivative" }
