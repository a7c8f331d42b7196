package sketch

import (
	"math"
	"slices"

	tdigest "github.com/caio/go-tdigest/v4"
)

// Quantiles estimates quantiles as Elasticsearch does: from the values themselves up to
// twenty times the compression, beyond it by a t-digest of that compression.
type Quantiles struct {
	compression float64
	// centred places each value in the middle of its share of the whole, as
	// Elasticsearch's high_accuracy does; else the first is quantile 0 and the last 1.
	centred  bool
	values   []float64
	sorted   bool
	digest   *tdigest.TDigest // nil as long as the values are kept
	min, max float64
}

// NewQuantiles makes an empty estimate. Compression is at least 1.
func NewQuantiles(compression float64, centred bool) *Quantiles {
	return &Quantiles{compression: max(compression, 1), centred: centred, min: math.Inf(1), max: math.Inf(-1)}
}

// Count is the number of values.
func (q *Quantiles) Count() int64 {
	if q.digest != nil {
		return int64(q.digest.Count())
	}
	return int64(len(q.values))
}

// Add takes values, which must be numbers.
func (q *Quantiles) Add(values []float64) {
	for _, v := range values {
		q.min, q.max = min(q.min, v), max(q.max, v)
	}
	if q.digest == nil {
		q.values, q.sorted = append(q.values, values...), false
		if float64(len(q.values)) > 20*q.compression {
			q.approximate()
		}
		return
	}
	for _, v := range values {
		q.weighted(v, 1)
	}
}

func (q *Quantiles) approximate() {
	// A generator of its own makes equal values give equal answers. The options are
	// valid, so there is no error.
	q.digest, _ = tdigest.New(tdigest.Compression(q.compression), tdigest.LocalRandomNumberGenerator(1))
	for _, v := range q.values {
		q.weighted(v, 1)
	}
	q.values = nil
}

// weighted adds to the digest, which takes no infinity.
func (q *Quantiles) weighted(v float64, count uint64) {
	_ = q.digest.AddWeighted(max(-math.MaxFloat64, min(v, math.MaxFloat64)), count)
}

// Merge adds another estimate.
func (q *Quantiles) Merge(o *Quantiles) {
	if o.digest == nil {
		q.Add(o.values)
		return
	}
	if q.digest == nil {
		q.approximate()
	}
	q.min, q.max = min(q.min, o.min), max(q.max, o.max)
	o.each(q.weighted)
}

// each visits the values, or what stands for them, ascending, with their number.
func (q *Quantiles) each(visit func(v float64, count uint64)) {
	if q.digest != nil {
		q.digest.ForEachCentroid(func(v float64, count uint64) bool {
			visit(v, count)
			return true
		})
		return
	}
	q.sort()
	for _, v := range q.values {
		visit(v, 1)
	}
}

// Between is the least value above a bound and the greatest that is not above another,
// among the values or, when there are many, the middles that stand for them.
func (q *Quantiles) Between(low, high float64) (least, greatest float64) {
	least, greatest = math.NaN(), math.NaN()
	q.each(func(v float64, _ uint64) {
		if v > low && !(v >= least) {
			least = v
		}
		if v <= high && !(v <= greatest) {
			greatest = v
		}
	})
	return least, greatest
}

func (q *Quantiles) sort() {
	if q.sorted {
		return
	}
	q.sorted = true
	slices.Sort(q.values)
	// Of the zeros the negative ones come first.
	from, _ := slices.BinarySearch(q.values, 0)
	negative, at := from, from
	for ; at < len(q.values) && q.values[at] == 0; at++ {
		if math.Signbit(q.values[at]) {
			q.values[negative], q.values[at] = q.values[at], q.values[negative]
			negative++
		}
	}
}

// Quantile is the value at p of all, 0 to 1; NaN without values.
func (q *Quantiles) Quantile(p float64) float64 {
	n := q.Count()
	switch {
	case n == 0:
		return math.NaN()
	case p <= 0:
		return q.min
	case p >= 1:
		return q.max
	case q.digest != nil:
		return max(q.min, min(q.digest.Quantile(p), q.max))
	}
	q.sort()
	at := p * float64(n-1)
	if q.centred {
		at = p*float64(n) - 0.5
	}
	switch {
	case at <= 0:
		return q.min
	case at >= float64(n-1):
		return q.max
	}
	low := int(at)
	a, b := q.values[low], q.values[low+1]
	if a == b {
		return a
	}
	w := at - float64(low)
	if !q.centred {
		return a + w*(b-a)
	}
	return max(a, min((a*(1-w)+b*w), b))
}

// Rank is the share of the values up to v, 0 to 1; NaN without values.
func (q *Quantiles) Rank(v float64) float64 {
	n := q.Count()
	switch {
	case n == 0:
		return math.NaN()
	case v < q.min:
		return 0
	case v > q.max:
		return 1
	case q.digest != nil:
		return q.digest.CDF(v)
	}
	q.sort()
	first, found := slices.BinarySearch(q.values, v)
	// Of the extreme values half lie below.
	if found && v == q.min {
		past, _ := slices.BinarySearch(q.values, math.Nextafter(v, math.Inf(1)))
		return float64(past) / 2 / float64(n)
	}
	if found && v == q.max {
		return (float64(first) + float64(int(n)-first)/2) / float64(n)
	}
	return q.between(v) / float64(n)
}

// between counts the values below one that lies between them. Each value has the room to
// half the way to its neighbours.
func (q *Quantiles) between(v float64) float64 {
	gap := func(i int) float64 { // from value i to the next
		i = max(0, min(i, len(q.values)-2))
		return (q.values[i+1] - q.values[i]) / 2
	}
	// The first value whose room ends beyond v.
	low, high := 0, len(q.values)-1
	for low < high {
		i := (low + high) / 2
		if v < q.values[i]+gap(i) {
			high = i
		} else {
			low = i + 1
		}
	}
	from, to := q.values[low]-gap(low-1), q.values[low]+gap(low)
	return float64(low) + (v-from)/(to-from)
}

// MedianDeviation is the median of the values' distances from their median.
func (q *Quantiles) MedianDeviation() float64 {
	median := q.Quantile(0.5)
	distances := NewQuantiles(q.compression, q.centred)
	if q.digest != nil {
		distances.approximate()
	}
	q.each(func(v float64, count uint64) {
		d := math.Abs(median - v)
		if q.digest == nil {
			distances.values = append(distances.values, d)
		} else {
			distances.weighted(d, count)
		}
		distances.min, distances.max = min(distances.min, d), max(distances.max, d)
	})
	return distances.Quantile(0.5)
}
