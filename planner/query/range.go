package query

import (
	"math"
	"time"

	gen "postern/generated/query"
	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// rangeSpec is a range clause's bounds; absent and null bounds are open.
type rangeSpec struct {
	lo, hi       jsonx.Value
	incLo, incHi bool
	format       *string
	zone         *time.Location // nil for UTC
}

func parseRange(c *Context, q *gen.QueryContainer) (Node, error) {
	r := &q.Range.Value
	s := rangeSpec{incLo: true, incHi: true, format: r.Format}
	if r.TimeZone != nil {
		zone, err := datemath.Zone(*r.TimeZone)
		if err != nil {
			cause := asError(err)
			return nil, &RequestError{eserr.IllegalArgument("java.time.zone.ZoneRulesException: %s", cause.Reason).Cause(cause)}
		}
		s.zone = zone
	}
	for _, b := range [...]struct {
		value     jsonx.Value
		at        *jsonx.Value
		inclusive *bool
		is        bool
	}{
		{r.From, &s.lo, &s.incLo, true}, {r.Gte, &s.lo, &s.incLo, true}, {r.Gt, &s.lo, &s.incLo, false},
		{r.To, &s.hi, &s.incHi, true}, {r.Lte, &s.hi, &s.incHi, true}, {r.Lt, &s.hi, &s.incHi, false},
	} {
		if b.value.Exists() {
			*b.at, *b.inclusive = b.value, b.is
		}
	}
	if r.IncludeLower != nil {
		s.incLo = *r.IncludeLower
	}
	if r.IncludeUpper != nil {
		s.incHi = *r.IncludeUpper
	}
	n, err := c.rangeQuery(q.Range.Key, s)
	if err != nil {
		return nil, err
	}
	return c.finish(n, r.Boost, r.Name)
}

// given returns a bound unless it is open.
func given(v jsonx.Value) bool { return v.Exists() && v.Kind() != jsonx.Null }

func (c *Context) rangeQuery(name string, s rangeSpec) (Node, error) {
	if n, ok, err := c.metaRange(name, s); ok || err != nil {
		return n, err
	}
	f := c.field(name)
	if f == nil {
		return matchNone{}, nil
	}
	if !given(s.lo) && !given(s.hi) && (f.DocValues || f.Kind == mapping.KindText && f.Norms) {
		return &exists{f.Name}, nil
	}
	n, err := c.rangeOf(f, s)
	if err != nil {
		return nil, err
	}
	return n, nil
}

func (c *Context) rangeOf(f *mapping.Field, s rangeSpec) (Node, *eserr.Error) {
	switch f.Type {
	case "geo_point", "binary", "dense_vector":
		return nil, eserr.IllegalArgument("Field [%s] of type [%s] does not support range queries", f.Name, f.Type)
	}
	if err := searchable(f); err != nil {
		return nil, err
	}
	switch f.Type {
	case "keyword", "text":
		return &termRange{c.column(f), termBound(f, s.lo, s.incLo), termBound(f, s.hi, s.incHi)}, nil
	case "date", "date_nanos":
		// Elasticsearch meets these errors before it makes a query of the clause.
		n, err := c.dateRange(f, dateBound{s.lo, s.incLo}, dateBound{s.hi, s.incHi}, s.format, s.zone)
		c.unwrapped = err != nil
		return n, err
	case "ip":
		return c.ipRange(f, s)
	case "boolean":
		return boolRange(f, s)
	}
	lo, err := numberBound(s.lo)
	if err != nil {
		return nil, err
	}
	hi, err := numberBound(s.hi)
	if err != nil {
		return nil, err
	}
	if f.Kind == mapping.KindLong {
		return wholeRange(f, lo, hi, s.incLo, s.incHi)
	}
	return floatRange(f, lo, hi, s.incLo, s.incHi)
}

func termBound(f *mapping.Field, v jsonx.Value, inclusive bool) bound {
	if !given(v) {
		return bound{open: true}
	}
	return bound{value: f.Normalize(textOf(v)), inclusive: inclusive}
}

func numberBound(v jsonx.Value) (*number, *eserr.Error) {
	if !given(v) {
		return nil, nil
	}
	n, err := readNumber(v)
	return &n, err
}

// wholeRange narrows bounds to whole numbers: a decimal bound moves to the next whole
// number inside the range, however it is included.
func wholeRange(f *mapping.Field, lo, hi *number, incLo, incHi bool) (Node, *eserr.Error) {
	r := &longRange{f.Name, math.MinInt64, math.MaxInt64}
	if lo != nil {
		v, err := wholeOf(f, *lo)
		if err != nil {
			return nil, err
		}
		if dec := lo.hasDecimalPart(); !dec && !incLo || dec && lo.f > 0 {
			if v == math.MaxInt64 {
				return matchNone{}, nil
			}
			v++
		}
		r.lo = v
	}
	if hi != nil {
		v, err := wholeOf(f, *hi)
		if err != nil {
			return nil, err
		}
		if dec := hi.hasDecimalPart(); !dec && !incHi || dec && hi.f < 0 {
			if v == math.MinInt64 {
				return matchNone{}, nil
			}
			v--
		}
		r.hi = v
	}
	if r.lo > r.hi {
		return matchNone{}, nil
	}
	return r, nil
}

// floatRange makes bounds inclusive in the field's own precision.
func floatRange(f *mapping.Field, lo, hi *number, incLo, incHi bool) (Node, *eserr.Error) {
	r := &doubleRange{f.Name, math.Inf(-1), math.Inf(1)}
	if lo != nil {
		r.lo = floatBound(f, lo.f, incLo, 1)
	}
	if hi != nil {
		r.hi = floatBound(f, hi.f, incHi, -1)
	}
	return r, nil
}

// floatBound rounds one bound to the field's precision; an exclusive one moves by one
// step into the range, in the direction of sign.
func floatBound(f *mapping.Field, v float64, inclusive bool, sign int) float64 {
	switch f.Type {
	case "float":
		b := float32(v)
		if !inclusive {
			b = step32(b, sign)
		}
		return float64(b)
	case "half_float":
		b := float32(v)
		if inclusive {
			b = nextHalf(b, -sign)
		}
		return float64(nextHalf(b, sign))
	case "scaled_float":
		v *= f.ScalingFactor
		if !inclusive {
			v = step64(v, sign)
		}
		if sign > 0 {
			return unscale(f, math.Ceil(v))
		}
		return unscale(f, math.Floor(v))
	}
	if !inclusive {
		v = step64(v, sign)
	}
	return v
}

func boolRange(f *mapping.Field, s rangeSpec) (Node, *eserr.Error) {
	r := &longRange{f.Name, 0, 1}
	if given(s.lo) {
		b, err := boolOf(s.lo)
		if err != nil {
			return nil, err
		}
		if b == s.incLo { // [true, or (false,
			r.lo = 1
		} else if b {
			r.lo = 2
		}
	}
	if given(s.hi) {
		b, err := boolOf(s.hi)
		if err != nil {
			return nil, err
		}
		if b != s.incHi { // ,false] or ,true)
			r.hi = 0
		} else if !b {
			r.hi = -1
		}
	}
	return r, nil
}

func (c *Context) ipRange(f *mapping.Field, s rangeSpec) (Node, *eserr.Error) {
	r := &termRange{c.column(f), bound{open: true}, bound{open: true}}
	for _, b := range [...]struct {
		v         jsonx.Value
		at        *bound
		inclusive bool
	}{{s.lo, &r.lo, s.incLo}, {s.hi, &r.hi, s.incHi}} {
		if !given(b.v) {
			continue
		}
		a, err := ipOf(textOf(b.v))
		if err != nil {
			return nil, err
		}
		*b.at = bound{value: a, inclusive: b.inclusive}
	}
	return r, nil
}
