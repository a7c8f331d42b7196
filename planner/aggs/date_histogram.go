package aggs

import (
	"math"
	"slices"

	gen "postern/generated/aggs"
	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

type dateHistogram struct {
	v              *values
	rounding       *datemath.Rounding
	minCount       int64
	extended, hard *longBounds
	order          order
	keyed          bool
}

type longBounds struct{ min, max int64 }

type dateHistogramResult struct {
	*dateHistogram
	n       *node
	buckets map[int64]*bucket // by the beginning of the interval
}

func parseDateHistogram(c *source) (aggregator, error) {
	a := c.a.DateHistogram
	v, err := c.values(a.Field, a.Missing, a.Format, a.TimeZone, true)
	if err != nil {
		return nil, err
	}
	if v.field != nil && v.field.Kind == mapping.KindDouble {
		return nil, v.unsupported("date_histogram")
	}
	if v.field == nil {
		v.format.dates = datemath.Default()
	}
	d := &dateHistogram{v: v, keyed: a.Keyed != nil && *a.Keyed}
	var offset int64
	if a.Offset != nil {
		offset = a.Offset.D.Milliseconds()
	}
	switch {
	case a.CalendarInterval != 0 && a.FixedInterval != nil:
		return nil, eserr.IllegalArgument("Cannot use [fixed_interval] with [calendar_interval] configuration option.")
	case a.CalendarInterval != 0:
		d.rounding = datemath.Calendar(unitOf(a.CalendarInterval), v.format.zone, offset)
	case a.FixedInterval != nil:
		ms := a.FixedInterval.D.Milliseconds()
		if ms <= 0 {
			return nil, eserr.IllegalArgument("Zero or negative time interval not supported")
		}
		d.rounding = datemath.Fixed(ms, v.format.zone, offset)
	default:
		return nil, eserr.IllegalArgument("Invalid interval specified, must be non-null and non-empty")
	}
	if a.MinDocCount != nil {
		d.minCount = *a.MinDocCount
	}
	if d.extended, err = d.bounds(c, a.ExtendedBounds); err != nil {
		return nil, err
	}
	if d.hard, err = d.bounds(c, a.HardBounds); err != nil {
		return nil, err
	}
	if e := d.extended; e != nil && e.min > e.max && e.min != math.MaxInt64 && e.max != math.MinInt64 {
		return nil, eserr.IllegalArgument("[extended_bounds.min][%s] cannot be greater than [extended_bounds.max][%s] for histogram aggregation [%s]", a.ExtendedBounds.Min, a.ExtendedBounds.Max, c.name)
	}
	subs, err := c.subs()
	if err != nil {
		return nil, err
	}
	d.order, err = parseOrder(a.Order, subs, order{{by: byKey}})
	return d, err
}

func unitOf(i gen.CalendarInterval) datemath.Unit {
	switch i {
	case gen.CalendarIntervalSecond:
		return datemath.Second
	case gen.CalendarIntervalMinute:
		return datemath.Minute
	case gen.CalendarIntervalHour:
		return datemath.Hour
	case gen.CalendarIntervalDay:
		return datemath.Day
	case gen.CalendarIntervalWeek:
		return datemath.Week
	case gen.CalendarIntervalMonth:
		return datemath.Month
	case gen.CalendarIntervalQuarter:
		return datemath.Quarter
	}
	return datemath.Year
}

// bounds reads bounds with date math and rounds them; an open side is beyond any value.
func (d *dateHistogram) bounds(c *source, b *gen.ExtendedBoundsFieldDateMath) (*longBounds, error) {
	if b == nil {
		return nil, nil
	}
	out := &longBounds{math.MaxInt64, math.MinInt64}
	dates := d.v.format.dates
	if dates == nil {
		dates = datemath.Default()
	}
	for _, side := range []struct {
		text string
		into *int64
	}{{b.Min, &out.min}, {b.Max, &out.max}} {
		if side.text == "" {
			continue
		}
		at, err := dates.ParseMath(side.text, c.Now, false, d.v.format.zone)
		if err != nil {
			return nil, err
		}
		*side.into = d.rounding.Round(at.Millis())
	}
	return out, nil
}

func (d *dateHistogram) empty(n *node) result {
	return &dateHistogramResult{d, n, map[int64]*bucket{}}
}

// maxStarts is up to how many intervals are listed ahead, so that each value is looked up
// among them instead of being rounded by the calendar.
const maxStarts = 4096

func (r *dateHistogramResult) collect(x *collector, s *selection) error {
	docs, vals := x.readLongs(r.v, s)
	if len(vals) == 0 {
		return nil
	}
	if r.v.format.nanos {
		for i, v := range vals {
			vals[i] = datemath.FromNanos(v).Millis()
		}
	}
	low, high := vals[0], vals[0]
	for _, v := range vals {
		low, high = min(low, v), max(high, v)
	}
	var starts []int64
	for at := r.rounding.Round(low); at <= high && len(starts) <= maxStarts; at = r.rounding.Next(at) {
		starts = append(starts, at)
	}
	if len(starts) <= maxStarts {
		from, to := int64(1), int64(0) // of the interval found last
		var begin int64
		for i, v := range vals {
			if v < from || v >= to {
				at, exact := slices.BinarySearch(starts, v)
				if !exact {
					at--
				}
				begin = starts[at]
				from, to = begin, math.MaxInt64
				if at+1 < len(starts) {
					to = starts[at+1]
				}
			}
			vals[i] = begin
		}
	} else {
		for i, v := range vals {
			vals[i] = r.rounding.Round(v)
		}
	}
	allowed := func(start int64) bool {
		return r.hard == nil || (r.hard.min == math.MaxInt64 || start >= r.hard.min) && (r.hard.max == math.MinInt64 || start < r.hard.max)
	}
	return collectNumbers(x, s, docs, vals, r.buckets, r.n.subs, allowed)
}

func (r *dateHistogramResult) merge(other result) {
	o := other.(*dateHistogramResult)
	if r.v.field == nil && o.v.field != nil {
		r.dateHistogram = o.dateHistogram
	}
	mergeMaps(r.buckets, o.buckets, r.n.subs)
}

func (r *dateHistogramResult) fill() (ok bool) {
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for k := range r.buckets {
		low, high = min(low, k), max(high, k)
	}
	if e := r.extended; e != nil {
		low, high = min(low, e.min), max(high, e.max)
	}
	if low > high {
		return true
	}
	n := 0
	for k := low; k <= high; k = r.rounding.Next(k) {
		if n++; n > maxBuckets {
			return false
		}
		if r.buckets[k] == nil {
			r.buckets[k] = newBucket(r.n.subs)
			r.buckets[k].filled = true
		}
	}
	return true
}

func (r *dateHistogramResult) appendBody(w *writer) {
	if r.minCount == 0 && !r.fill() {
		w.buckets = maxBuckets + 1
	}
	list := sorted(r.buckets, r.order, r.minCount)
	if len(list) > maxBuckets {
		w.buckets, list = maxBuckets+1, nil
	}
	f := r.v.format
	f.nanos = false // keys are milliseconds
	var keyed func(int) string
	if r.keyed {
		keyed = func(i int) string { return f.long(list[i].key) }
	}
	w.bucketList(len(list), keyed, func(i int) {
		if f.shown() {
			w.string("key_as_string", f.long(list[i].key))
		}
		w.int("key", list[i].key)
		w.bucket(r.n, list[i].bucket)
	})
}

func (r *dateHistogramResult) prefix() string { return "date_histogram" }
