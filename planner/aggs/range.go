package aggs

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/planner/query"
)

// ranges is range and date_range: buckets from a bound on and below another.
type ranges struct {
	typ    string
	v      *values
	bounds []oneRange
	keyed  bool
}

// oneRange is from <= v < to; open sides are infinite.
type oneRange struct {
	key      string
	from, to float64
}

type rangesResult struct {
	*ranges
	answered
	n     *node
	cells []*bucket
}

func parseRange(c *source) (aggregator, error) {
	a := c.a.Range
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, format: a.Format, numeric: true, unmapped: mapping.KindDouble})
	if err != nil {
		return nil, err
	}
	r := &ranges{typ: "range", v: v, keyed: a.Keyed != nil && *a.Keyed}
	for _, x := range a.Ranges {
		one, err := numberRange(v, c, &x)
		if err != nil {
			return nil, err
		}
		r.add(one, x.Key)
	}
	return r, r.finish(c)
}

// numberRange reads the bounds of a range of numbers.
func numberRange(v *values, c *source, x *gen.AggregationRange) (one oneRange, err error) {
	one = oneRange{from: math.Inf(-1), to: math.Inf(1)}
	for _, side := range []struct {
		value jsonx.Value
		into  *float64
	}{{x.From, &one.from}, {x.To, &one.to}} {
		if !side.value.Exists() || side.value.Kind() == jsonx.Null {
			continue
		}
		text := side.value.Text()
		if v.format.dates != nil && side.value.Kind() == jsonx.String {
			at, err := c.date(v.format.dates, text, v.format)
			if err != nil {
				return one, err
			}
			*side.into = float64(at)
			continue
		}
		if *side.into, err = parseDouble(text); err != nil {
			return one, err
		}
	}
	return one, nil
}

// within reports whether a value lies in the range. Bounds are compared in the precision
// of the field: for a float, 0.1 is the float 0.1.
func (r *ranges) within(one *oneRange, v float64) bool {
	return v >= r.narrow(one.from) && v < r.narrow(one.to)
}

func (r *ranges) narrow(v float64) float64 {
	switch {
	case r.v.field == nil || math.IsInf(v, 0):
	case r.v.field.Type == "float":
		return float64(float32(v))
	case r.v.field.Type == "half_float":
		return float64(query.RoundHalf(float32(v)))
	}
	return v
}

func parseDateRange(c *source) (aggregator, error) {
	a := c.a.DateRange
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, format: a.Format, zone: a.TimeZone, numeric: true, unmapped: mapping.KindLong, dates: true})
	if err != nil {
		return nil, err
	}
	r := &ranges{typ: "date_range", v: v, keyed: a.Keyed != nil && *a.Keyed}
	for _, x := range a.Ranges {
		one := oneRange{from: math.Inf(-1), to: math.Inf(1)}
		for _, side := range []struct {
			text string
			into *float64
		}{{x.From, &one.from}, {x.To, &one.to}} {
			if side.text == "" {
				continue
			}
			if ms, err := strconv.ParseInt(side.text, 10, 64); err == nil && len(side.text) > 8 {
				*side.into = float64(ms)
				continue
			}
			ms, _, err := v.parseNumber(c, side.text)
			if err != nil {
				return nil, err
			}
			*side.into = float64(ms)
		}
		r.add(one, x.Key)
	}
	return r, r.finish(c)
}

func (r *ranges) add(one oneRange, key *string) {
	if key != nil {
		one.key = *key
	} else {
		from, to := "*", "*"
		if !math.IsInf(one.from, 0) {
			from = r.v.format.double(one.from)
		}
		if !math.IsInf(one.to, 0) {
			to = r.v.format.double(one.to)
		}
		one.key = from + "-" + to
	}
	r.bounds = append(r.bounds, one)
}

func (r *ranges) finish(c *source) error {
	if len(r.bounds) == 0 {
		return eserr.IllegalArgument("No [ranges] specified for the [%s] aggregation", c.name)
	}
	slices.SortStableFunc(r.bounds, func(a, b oneRange) int {
		return cmp.Or(cmp.Compare(sortable(a.from), sortable(b.from)), cmp.Compare(sortable(a.to), sortable(b.to)))
	})
	return nil
}

func (r *ranges) empty(n *node) result {
	out := &rangesResult{ranges: r, n: n, cells: make([]*bucket, len(r.bounds))}
	for i := range out.cells {
		out.cells[i] = newBucket(n.subs)
	}
	return out
}

func (r *rangesResult) collect(x *collector, s *selection) error {
	docs, vals := x.readDoubles(r.v, s)
	return r.collectValues(x, s, docs, vals)
}

// collectValues puts each document into the ranges that a value of it lies in.
func (r *rangesResult) collectValues(x *collector, s *selection, docs []uint32, vals []float64) error {
	// All lists are made before sub-aggregations read into the same buffers.
	lists := make([][]uint32, len(r.bounds))
	for i := range r.bounds {
		list := make([]uint32, 0, len(vals))
		for j, v := range vals {
			if r.within(&r.bounds[i], v) && (len(list) == 0 || list[len(list)-1] != docs[j]) {
				list = append(list, docs[j])
			}
		}
		lists[i] = list
	}
	for i, list := range lists {
		if err := r.cells[i].collect(x, &selection{seg: s.seg, list: list}); err != nil {
			return err
		}
	}
	return nil
}

func (r *rangesResult) merge(other result) {
	o := other.(*rangesResult)
	if r.v.hasNothing() && !o.v.hasNothing() {
		r.ranges = o.ranges
	}
	for i, b := range o.cells {
		r.cells[i].merge(b)
	}
}

func (r *rangesResult) reduce() { r.all(r.cells) }

func (r *rangesResult) keyText(b *answerBucket) string { return r.bounds[b.long].key }

func (r *rangesResult) appendBody(w *writer) {
	r.reduce()
	var keyed func(int) string
	if r.keyed {
		keyed = func(i int) string { return r.keyText(&r.buckets[i]) }
	}
	shown := r.v.format.shown()
	w.bucketList(len(r.buckets), keyed, func(i int) {
		one := r.bounds[r.buckets[i].long]
		if !r.keyed {
			w.string("key", one.key)
		}
		if !math.IsInf(one.from, 0) {
			w.float("from", one.from)
			if shown {
				w.bound("from_as_string", &r.v.format, one.from)
			}
		}
		if !math.IsInf(one.to, 0) {
			w.float("to", one.to)
			if shown {
				w.bound("to_as_string", &r.v.format, one.to)
			}
		}
		w.bucket(r.n, r.buckets[i].bucket)
	})
}

func (r *rangesResult) prefix() string { return r.typ }
