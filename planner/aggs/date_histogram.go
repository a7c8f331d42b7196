package aggs

import (
	"math"
	"math/bits"

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
	answered
	n     *node
	cells map[int64]*bucket // by the beginning of the interval
	many  bool              // more buckets than may be answered
}

func parseDateHistogram(c *source) (aggregator, error) {
	a := c.a.DateHistogram
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, format: a.Format, zone: a.TimeZone, numeric: true, unmapped: mapping.KindLong, dates: true})
	if err != nil {
		return nil, err
	}
	d := &dateHistogram{v: v, keyed: a.Keyed != nil && *a.Keyed}
	var offset int64
	if a.Offset != nil {
		offset = a.Offset.D.Milliseconds()
	}
	var rounding *datemath.Rounding // without the offset
	switch {
	case a.CalendarInterval != 0 && a.FixedInterval != nil:
		return nil, eserr.IllegalArgument("Cannot use [fixed_interval] with [calendar_interval] configuration option.")
	case a.CalendarInterval != 0:
		d.rounding = datemath.Calendar(unitOf(a.CalendarInterval), v.format.zone, offset)
		if rounding = d.rounding; offset != 0 {
			rounding = datemath.Calendar(unitOf(a.CalendarInterval), v.format.zone, 0)
		}
	case a.FixedInterval != nil:
		ms := a.FixedInterval.D.Milliseconds()
		if ms <= 0 {
			return nil, eserr.IllegalArgument("Zero or negative time interval not supported")
		}
		d.rounding = datemath.Fixed(ms, v.format.zone, offset)
		if rounding = d.rounding; offset != 0 {
			rounding = datemath.Fixed(ms, v.format.zone, 0)
		}
	default:
		return nil, eserr.IllegalArgument("Invalid interval specified, must be non-null and non-empty")
	}
	if a.MinDocCount != nil {
		d.minCount = *a.MinDocCount
	}
	if e, h := a.ExtendedBounds, a.HardBounds; e != nil && h != nil {
		if err := within(c, v, e, h); err != nil {
			return nil, err
		}
	}
	if d.extended, err = d.bounds(c, "extended_bounds", a.ExtendedBounds, rounding, offset); err != nil {
		return nil, err
	}
	if d.hard, err = d.bounds(c, "hard_bounds", a.HardBounds, rounding, offset); err != nil {
		return nil, err
	}
	outer := c.rounding
	c.rounding = d.rounding
	subs, err := c.subs()
	if c.rounding = outer; err != nil {
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

// bounds reads bounds and rounds them as if there were no offset, which they are then
// moved by; an open side is beyond any value.
func (d *dateHistogram) bounds(c *source, name string, b *gen.ExtendedBoundsFieldDateMath, rounding *datemath.Rounding, offset int64) (*longBounds, error) {
	if b == nil {
		return nil, nil
	}
	out, err := readBounds(c, d.v, b)
	if err != nil {
		return nil, err
	}
	if out.min > out.max && out.min != math.MaxInt64 && out.max != math.MinInt64 {
		return nil, eserr.IllegalArgument("[%s.min][%d] cannot be greater than [%s.max][%d] for histogram aggregation [%s]", name, out.min, name, out.max, c.name)
	}
	if out.min != math.MaxInt64 {
		out.min = rounding.Round(out.min) + offset
	}
	if out.max != math.MinInt64 {
		out.max = rounding.Round(out.max) + offset
	}
	return out, nil
}

func readBounds(c *source, v *values, b *gen.ExtendedBoundsFieldDateMath) (*longBounds, error) {
	out := &longBounds{math.MaxInt64, math.MinInt64}
	var err error
	if b.Min != "" {
		if out.min, _, err = v.parseNumber(c, b.Min); err != nil {
			return nil, err
		}
	}
	if b.Max != "" {
		out.max, _, err = v.parseNumber(c, b.Max)
	}
	return out, err
}

// within checks that extended bounds lie in the hard ones.
func within(c *source, v *values, extended, hard *gen.ExtendedBoundsFieldDateMath) error {
	e, err := readBounds(c, v, extended)
	if err != nil {
		return err
	}
	h, err := readBounds(c, v, hard)
	if err != nil {
		return err
	}
	if h.min != math.MaxInt64 && e.min < h.min || h.max != math.MinInt64 && e.max > h.max {
		return eserr.IllegalArgument("Extended bounds have to be inside hard bounds, hard bounds: [%s--%s], extended bounds: [%s--%s]", hard.Min, hard.Max, extended.Min, extended.Max)
	}
	return nil
}

func (d *dateHistogram) empty(n *node) result {
	return &dateHistogramResult{dateHistogram: d, n: n, cells: map[int64]*bucket{}}
}

// maxStarts is up to how many intervals are listed ahead, so that each value is looked up
// among them instead of being rounded by the calendar.
const maxStarts = 4096

func (r *dateHistogramResult) collect(x *collector, s *selection) error {
	docs, vals := x.readLongs(r.v, s)
	if len(vals) == 0 {
		return nil
	}
	r.round(vals)
	allowed := func(start int64) bool {
		return r.hard == nil || (r.hard.min == math.MaxInt64 || start >= r.hard.min) && (r.hard.max == math.MinInt64 || start < r.hard.max)
	}
	return x.collectKeys(s, docs, vals, r.cells, r.n.subs, allowed)
}

// round puts the beginning of its interval in the place of each value.
func (d *dateHistogram) round(vals []int64) {
	low, high := vals[0], vals[0]
	for _, v := range vals {
		low, high = min(low, v), max(high, v)
	}
	var starts []int64
	for at := d.rounding.Round(low); at <= high; at = d.rounding.Next(at) {
		if starts = append(starts, at); len(starts) > maxStarts || len(starts) > len(vals) {
			for i, v := range vals {
				vals[i] = d.rounding.Round(v)
			}
			return
		}
	}
	// The span is cut into cells, few of which an interval begins in: from the last one
	// that has begun before a cell it is not far to that of a value in it.
	shift := max(0, bits.Len64(uint64(high)-uint64(low))-12)
	cells := make([]uint16, (uint64(high)-uint64(low))>>shift+1)
	for c, at := range cells {
		if c > 0 {
			at = cells[c-1]
		}
		for begin := low + int64(uint64(c)<<shift); int(at)+1 < len(starts) && starts[at+1] <= begin; {
			at++
		}
		cells[c] = at
	}
	for i, v := range vals {
		at := cells[(uint64(v)-uint64(low))>>shift]
		for int(at)+1 < len(starts) && starts[at+1] <= v {
			at++
		}
		vals[i] = starts[at]
	}
}

func (r *dateHistogramResult) merge(other result) {
	o := other.(*dateHistogramResult)
	if r.v.hasNothing() && !o.v.hasNothing() {
		r.dateHistogram = o.dateHistogram
	}
	mergeMaps(r.cells, o.cells, r.n.subs)
}

func (r *dateHistogramResult) fill() (ok bool) {
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for k := range r.cells {
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
		if r.cells[k] == nil {
			r.cells[k] = newBucket(r.n.subs)
			r.cells[k].filled = true
		}
	}
	return true
}

func (r *dateHistogramResult) reduce() {
	if !r.begin() {
		return
	}
	r.many = r.minCount == 0 && !r.fill() || len(r.cells) > maxBuckets
	if !r.many {
		r.answered.longs(sorted(r.cells, r.order, r.minCount))
	}
	if hasRate(r.n.subs) {
		for i := range r.buckets {
			measureRates(r.rounding, r.buckets[i].long, r.n.subs, r.buckets[i].bucket)
		}
	}
}

func (r *dateHistogramResult) keyText(b *answerBucket) string { return r.v.format.long(b.long) }

func (r *dateHistogramResult) appendBody(w *writer) {
	r.reduce()
	if r.many {
		w.buckets = maxBuckets + 1
	}
	var keyed func(int) string
	if r.keyed {
		keyed = func(i int) string { return r.keyText(&r.buckets[i]) }
	}
	w.bucketList(len(r.buckets), keyed, func(i int) {
		b := &r.buckets[i]
		if r.v.format.shown() {
			w.string("key_as_string", r.keyText(b))
		}
		w.int("key", b.long)
		w.bucket(r.n, b.bucket)
	})
}

func (r *dateHistogramResult) prefix() string { return "date_histogram" }
