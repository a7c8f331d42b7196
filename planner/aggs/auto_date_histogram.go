package aggs

import (
	"math"
	"slices"
	"strconv"

	gen "postern/generated/aggs"
	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

// autoDateHistogram is a date histogram that chooses its interval: the smallest that
// makes no more buckets than asked for.
type autoDateHistogram struct {
	v      *values
	target int
	steps  []intervalStep
}

// intervalStep is a unit of time with how many of it an interval may be.
type intervalStep struct {
	rounding *datemath.Rounding
	rough    int64 // milliseconds, about
	name     string
	counts   []int64
}

func (s *intervalStep) most() int64 { return s.counts[len(s.counts)-1] }

func intervalSteps(r func(datemath.Unit) *datemath.Rounding) []intervalStep {
	return []intervalStep{
		{r(datemath.Second), 1000, "s", []int64{1, 5, 10, 30}},
		{r(datemath.Minute), 60_000, "m", []int64{1, 5, 10, 30}},
		{r(datemath.Hour), 3_600_000, "h", []int64{1, 3, 12}},
		{r(datemath.Day), 86_400_000, "d", []int64{1, 7}},
		{r(datemath.Month), 2_629_746_000, "M", []int64{1, 3}},
		{r(datemath.Year), 31_556_952_000, "y", []int64{1, 5, 10, 20, 50, 100}},
	}
}

// autoDateHistogramResult holds buckets by the beginning of the step's unit.
type autoDateHistogramResult struct {
	*autoDateHistogram
	answered
	n        *node
	step     int
	low      int64
	high     int64
	cells    map[int64]*bucket
	interval int64
}

const defaultAutoBuckets = 10

func parseAutoDateHistogram(c *source) (aggregator, error) {
	a := c.a.AutoDateHistogram
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, format: a.Format, zone: a.TimeZone, numeric: true, unmapped: mapping.KindLong, dates: true})
	if err != nil {
		return nil, err
	}
	out := &autoDateHistogram{v: v, target: defaultAutoBuckets}
	if a.Buckets != nil {
		out.target = *a.Buckets
	}
	out.steps = intervalSteps(func(u datemath.Unit) *datemath.Rounding { return datemath.Calendar(u, v.format.zone, 0) })
	if a.MinimumInterval > gen.MinimumIntervalSecond {
		out.steps = out.steps[a.MinimumInterval-gen.MinimumIntervalSecond:]
	}
	if len(out.steps) == 1 { // as Elasticsearch, which looks at all but the last
		return nil, &eserr.Error{Status: 500, Type: "no_such_element_exception", Reason: "No value present"}
	}
	longest := int64(0)
	for i := range out.steps[:len(out.steps)-1] {
		longest = max(longest, out.steps[i].most())
	}
	if most := maxBuckets / int(longest); out.target > most {
		return nil, eserr.IllegalArgument("buckets must be less than %d", most)
	}
	return out, nil
}

func (a *autoDateHistogram) empty(n *node) result {
	return &autoDateHistogramResult{autoDateHistogram: a, n: n, low: math.MaxInt64, high: math.MinInt64, cells: map[int64]*bucket{}}
}

func (r *autoDateHistogramResult) collect(x *collector, s *selection) error {
	docs, vals := x.readLongs(r.v, s)
	if len(vals) == 0 {
		return nil
	}
	r.low, r.high = min(r.low, slices.Min(vals)), max(r.high, slices.Max(vals))
	r.widen() // by the span alone, so that there are few groups
	(&dateHistogram{rounding: r.steps[r.step].rounding}).round(vals)
	if err := x.collectKeys(s, docs, vals, r.cells, r.n.subs, func(int64) bool { return true }); err != nil {
		return err
	}
	r.widen()
	return nil
}

// widen takes larger units as long as there are too many buckets.
func (r *autoDateHistogramResult) widen() {
	for r.step < len(r.steps)-1 {
		s := &r.steps[r.step]
		most := int64(r.target) * s.most()
		if int64(len(r.cells)) <= most && (r.low > r.high || r.high-r.low <= most*s.rough) {
			return
		}
		r.round(r.step + 1)
	}
}

// round merges the buckets into those of a larger unit.
func (r *autoDateHistogramResult) round(step int) {
	if step <= r.step {
		return
	}
	r.step = step
	cells := map[int64]*bucket{}
	keys := make([]int64, 0, len(r.cells))
	for k := range r.cells {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		mergeInto(cells, r.steps[step].rounding.Round(k), r.cells[k])
	}
	r.cells = cells
}

func mergeInto(cells map[int64]*bucket, key int64, b *bucket) {
	if mine := cells[key]; mine != nil {
		mine.merge(b)
		return
	}
	cells[key] = b
}

func (r *autoDateHistogramResult) merge(other result) {
	o := other.(*autoDateHistogramResult)
	if r.v.hasNothing() && !o.v.hasNothing() {
		r.autoDateHistogram = o.autoDateHistogram
	}
	r.low, r.high = min(r.low, o.low), max(r.high, o.high)
	r.round(o.step)
	o.round(r.step)
	for k, b := range o.cells {
		mergeInto(r.cells, k, b)
	}
}

func (r *autoDateHistogramResult) reduce() {
	if !r.begin() {
		return
	}
	r.interval = 1
	if len(r.cells) == 0 {
		return
	}
	for r.step < len(r.steps)-1 && int64(len(r.cells)) > int64(r.target)*r.steps[r.step].most() {
		r.round(r.step + 1)
	}
	r.round(r.fitting())
	for len(r.filled()) > r.target*int(r.steps[r.step].most()) && r.step < len(r.steps)-1 {
		r.round(r.step + 1)
	}
	keys := r.filled()
	s := &r.steps[r.step]
	if len(keys) > r.target {
		for _, n := range s.counts {
			if (len(keys)+int(n)-1)/int(n) <= r.target {
				r.interval = n
				break
			}
		}
	}
	for i, k := range keys {
		b := r.cells[k]
		if b == nil {
			b = newBucket(r.n.subs)
			b.filled = true
		}
		if int64(i)%r.interval == 0 {
			r.buckets = append(r.buckets, answerBucket{long: s.rounding.Round(k), bucket: b})
			continue
		}
		last := r.buckets[len(r.buckets)-1].bucket
		last.filled = false
		last.merge(b)
	}
}

// fitting is the step at which the empty buckets between the first and the last one fit,
// too.
func (r *autoDateHistogramResult) fitting() int {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for k := range r.cells {
		first, last = min(first, k), max(last, k)
	}
	for at := r.step; ; at++ {
		needed := int64(0)
		for k := first; k < last; k = r.steps[at].rounding.Next(k) {
			needed++
		}
		if needed <= int64(r.target)*r.steps[at].most() || at == len(r.steps)-1 {
			return at
		}
	}
}

// filled lists the keys from the first to the last one, without a gap.
func (r *autoDateHistogramResult) filled() []int64 {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for k := range r.cells {
		first, last = min(first, k), max(last, k)
	}
	var keys []int64
	for k := first; k <= last; k = r.steps[r.step].rounding.Next(k) {
		keys = append(keys, k)
	}
	return keys
}

func (r *autoDateHistogramResult) keyText(b *answerBucket) string { return r.v.format.long(b.long) }

func (r *autoDateHistogramResult) appendBody(w *writer) {
	r.reduce()
	w.bucketList(len(r.buckets), nil, func(i int) {
		b := &r.buckets[i]
		if r.v.format.shown() {
			w.string("key_as_string", r.keyText(b))
		}
		w.int("key", b.long)
		w.bucket(r.n, b.bucket)
	})
	w.string("interval", strconv.FormatInt(r.interval, 10)+r.steps[r.step].name)
}

func (r *autoDateHistogramResult) prefix() string { return "auto_date_histogram" }
