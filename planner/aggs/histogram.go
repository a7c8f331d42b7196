package aggs

import (
	"math"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

type histogram struct {
	v                *values
	interval, offset float64
	minCount         int64
	extended, hard   *doubleBounds
	order            order
	keyed            bool
}

type doubleBounds struct{ min, max float64 }

type histogramResult struct {
	*histogram
	answered
	n *node
	// cells are buckets by the sortable form of their round number: the key is number × interval +
	// offset.
	cells map[int64]*bucket
	// many says that there are more buckets than may be answered.
	many bool
}

func parseHistogram(c *source) (aggregator, error) {
	a := c.a.Histogram
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, format: a.Format, numeric: true, unmapped: mapping.KindDouble})
	if err != nil {
		return nil, err
	}
	h := &histogram{v: v, keyed: a.Keyed != nil && *a.Keyed}
	if a.Interval != nil {
		h.interval = *a.Interval
	}
	if h.interval <= 0 {
		return nil, eserr.IllegalArgument("interval must be positive, got: %s", javaDouble(h.interval))
	}
	if a.Offset != nil {
		h.offset = *a.Offset
	}
	if a.MinDocCount != nil {
		h.minCount = *a.MinDocCount
	}
	h.extended, h.hard = boundsOf(a.ExtendedBounds), boundsOf(a.HardBounds)
	if e := h.extended; e != nil {
		if b := h.hard; b != nil && (!math.IsInf(b.min, 0) && e.min < b.min || !math.IsInf(b.max, 0) && e.max > b.max) {
			return nil, eserr.IllegalArgument("Extended bounds have to be inside hard bounds, hard bounds: %s, extended bounds: %s", b, e)
		}
	}
	subs, err := c.subs()
	if err != nil {
		return nil, err
	}
	h.order, err = parseOrder(a.Order, subs, order{{by: byKey}})
	return h, err
}

func javaDouble(v float64) string { return new(format).double(v) }

func boundsOf(b *gen.ExtendedBoundsDouble) *doubleBounds {
	if b == nil {
		return nil
	}
	out := &doubleBounds{math.Inf(1), math.Inf(-1)}
	if b.Min != nil {
		out.min = *b.Min
	}
	if b.Max != nil {
		out.max = *b.Max
	}
	return out
}

// String is the bounds as messages show them, an open side as nothing.
func (b *doubleBounds) String() string {
	text := func(v float64) string {
		if math.IsInf(v, 0) {
			return ""
		}
		return javaDouble(v)
	}
	return "[" + text(b.min) + "--" + text(b.max) + "]"
}

func (h *histogram) empty(n *node) result {
	return &histogramResult{histogram: h, n: n, cells: map[int64]*bucket{}}
}

func (h *histogram) round(v float64) float64   { return math.Floor((v - h.offset) / h.interval) }
func (h *histogram) key(round float64) float64 { return round*h.interval + h.offset }

func (r *histogramResult) collect(x *collector, s *selection) error {
	docs, vals := x.readDoubles(r.v, s)
	x.longs = x.longs[:0]
	for _, v := range vals {
		x.longs = append(x.longs, sortable(r.round(v)+0)) // -0.0 is 0
	}
	// Half-open hard bounds leave the open side open.
	allowed := func(key int64) bool {
		if r.hard == nil {
			return true
		}
		k := unsortable(key) * r.interval // without the offset, as Elasticsearch has it
		return (math.IsInf(r.hard.min, 1) || k >= r.hard.min) && (math.IsInf(r.hard.max, -1) || k <= r.hard.max)
	}
	return x.collectKeys(s, docs, x.longs, r.cells, r.n.subs, allowed)
}

func (r *histogramResult) merge(other result) {
	o := other.(*histogramResult)
	if r.v.hasNothing() && !o.v.hasNothing() {
		r.histogram = o.histogram
	}
	mergeMaps(r.cells, o.cells, r.n.subs)
}

// fill adds the empty buckets between the first and the last one, and out to the extended
// bounds; ok is false when they would be too many.
func (r *histogramResult) fill() (ok bool) {
	low, high := math.Inf(1), math.Inf(-1)
	for k := range r.cells {
		low, high = min(low, unsortable(k)), max(high, unsortable(k))
	}
	if e := r.extended; e != nil {
		if !math.IsInf(e.min, 0) {
			low = min(low, r.round(e.min))
		}
		if !math.IsInf(e.max, 0) {
			high = max(high, r.round(e.max))
		}
	}
	if low > high {
		return true
	}
	if high-low > maxBuckets {
		return false
	}
	for round := low; round <= high; round++ {
		if k := sortable(round + 0); r.cells[k] == nil {
			r.cells[k] = newBucket(r.n.subs)
			r.cells[k].filled = true
		}
	}
	return true
}

func (r *histogramResult) reduce() {
	if !r.begin() {
		return
	}
	r.many = r.minCount == 0 && !r.fill() || len(r.cells) > maxBuckets
	if !r.many {
		r.answered.longs(sorted(r.cells, r.order, r.minCount))
	}
}

func (r *histogramResult) keyOf(b *answerBucket) float64  { return r.key(unsortable(b.long)) }
func (r *histogramResult) keyText(b *answerBucket) string { return r.v.format.double(r.keyOf(b)) }

func (r *histogramResult) appendBody(w *writer) {
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
		w.float("key", r.keyOf(b))
		w.bucket(r.n, b.bucket)
	})
}

func (r *histogramResult) prefix() string { return "histogram" }
