package segment

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"
)

// LongColumn holds integers, dates in milliseconds, or booleans as 0 and 1.
type LongColumn struct{ numbers[int64] }

// DoubleColumn holds floating-point values; NaN does not occur.
type DoubleColumn struct{ numbers[float64] }

// numbers holds each document's values, ascending, repeated ones kept.
type numbers[T int64 | float64] struct {
	docSet
	// dense holds the one value of each document. When some document has several it is
	// nil, and the values of document d are values[offsets[d]:offsets[d+1]].
	dense    []T
	offsets  []uint32
	values   []T
	min, max T

	once    sync.Once
	ordered atomic.Pointer[[]uint32]
}

// Single reports whether no document has several values; then Dense may be used.
func (c *numbers[T]) Single() bool { return c.dense != nil }

// Dense holds the value of each document, 0 where there is none (ask Has); nil unless
// Single.
func (c *numbers[T]) Dense() []T { return c.dense }

// Has gives the documents that have a value; nil stands for all. It must not be changed.
func (c *numbers[T]) Has() *roaring.Bitmap { return c.some }

// Values are a document's values, ascending; they must not be changed.
func (c *numbers[T]) Values(doc uint32) []T {
	if c.dense != nil {
		if c.some != nil && !c.some.Contains(doc) {
			return nil
		}
		return c.dense[doc : doc+1 : doc+1]
	}
	return c.values[c.offsets[doc]:c.offsets[doc+1]:c.offsets[doc+1]]
}

// Min and Max bound all values.
func (c *numbers[T]) Min() T { return c.min }

// Max is the greatest value.
func (c *numbers[T]) Max() T { return c.max }

// Order lists the documents by ascending value, -0.0 before 0.0, equal ones by document; a document with
// several values stands there once for each. Documents without a value are not in it.
// It is made once and must not be changed.
func (c *numbers[T]) Order() []uint32 {
	c.once.Do(func() {
		order := c.sorted()
		c.ordered.Store(&order)
	})
	return *c.ordered.Load()
}

func (c *numbers[T]) sorted() []uint32 {
	if c.dense != nil {
		order := make([]uint32, 0, len(c.dense))
		for doc := range uint32(c.n) {
			if c.some == nil || c.some.Contains(doc) {
				order = append(order, doc)
			}
		}
		slices.SortFunc(order, func(a, b uint32) int {
			return cmp.Or(compareNumbers(c.dense[a], c.dense[b]), cmp.Compare(a, b))
		})
		return order
	}
	type entry struct {
		value T
		doc   uint32
	}
	entries := make([]entry, 0, len(c.values))
	for doc := range uint32(c.n) {
		for _, v := range c.Values(doc) {
			entries = append(entries, entry{v, doc})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(compareNumbers(a.value, b.value), cmp.Compare(a.doc, b.doc))
	})
	order := make([]uint32, len(entries))
	for i, e := range entries {
		order[i] = e.doc
	}
	return order
}

// compareNumbers orders as sorts do, which have -0.0 before 0.0.
func compareNumbers[T int64 | float64](a, b T) int {
	if a == 0 && b == 0 {
		return cmp.Compare(math.Float64bits(float64(b)), math.Float64bits(float64(a)))
	}
	return cmp.Compare(a, b)
}

// Range gives the documents that have a value v with lo <= v <= hi, where -0.0 is less
// than 0.0.
func (c *DoubleColumn) Range(lo, hi float64) *roaring.Bitmap {
	docs := c.numbers.Range(lo, hi)
	if !(lo == 0 && !math.Signbit(lo) || hi == 0 && math.Signbit(hi)) {
		return docs
	}
	wrong := roaring.New()
	for i := docs.Iterator(); i.HasNext(); {
		doc := i.Next()
		if !slices.ContainsFunc(c.Values(doc), func(v float64) bool { return compareNumbers(lo, v) <= 0 && compareNumbers(v, hi) <= 0 }) {
			wrong.Add(doc)
		}
	}
	if wrong.IsEmpty() {
		return docs
	}
	return roaring.AndNot(docs, wrong)
}

// Range gives the documents that have a value v with lo <= v <= hi.
func (c *numbers[T]) Range(lo, hi T) *roaring.Bitmap {
	switch {
	case lo > hi || lo > c.max || hi < c.min:
		return roaring.New()
	case lo <= c.min && hi >= c.max:
		return c.exists()
	}
	if o := c.ordered.Load(); o != nil && c.dense != nil {
		order := *o
		from := sort.Search(len(order), func(i int) bool { return c.dense[order[i]] >= lo })
		to := from + sort.Search(len(order)-from, func(i int) bool { return c.dense[order[from+i]] > hi })
		if few := to - from; few*32 < c.n {
			return roaring.BitmapOf(order[from:to]...)
		}
	}
	words := make([]uint64, (c.n+63)/64)
	if c.dense == nil {
		for doc := range uint32(c.n) {
			for _, v := range c.values[c.offsets[doc]:c.offsets[doc+1]] {
				if v >= lo && v <= hi {
					words[doc>>6] |= 1 << (doc & 63)
					break
				}
			}
		}
		return roaring.FromDense(words, false)
	}
	for w := range words {
		block := c.dense[w<<6 : min(w<<6+64, len(c.dense))]
		var word uint64
		for i, v := range block {
			// Two conditions without a jump: which values lie in a range is hard to predict.
			var low, high uint64
			if v >= lo {
				low = 1
			}
			if v <= hi {
				high = 1
			}
			word |= (low & high) << i
		}
		words[w] = word
	}
	docs := roaring.FromDense(words, false)
	if c.some != nil {
		docs.And(c.some)
	}
	return docs
}

// Bytes is what the column occupies in memory.
func (c *numbers[T]) Bytes() int64 {
	n := c.docSet.bytes() + int64(8*(len(c.dense)+len(c.values))+4*len(c.offsets))
	if o := c.ordered.Load(); o != nil {
		n += int64(4 * len(*o))
	}
	return n
}

// numberRows are the values of a field as they arrive, documents ascending.
type numberRows[T int64 | float64] struct {
	docs []uint32
	vals []T
}

func (r *numberRows[T]) add(doc uint32, v T) {
	r.docs = append(r.docs, doc)
	r.vals = append(r.vals, v)
}

func (r numberRows[T]) build(n int, c *numbers[T]) {
	c.docSet.init(r.docs, n)
	c.min, c.max = slices.Min(r.vals), slices.Max(r.vals)
	single := true
	for i := 1; i < len(r.docs); i++ {
		if r.docs[i] == r.docs[i-1] {
			single = false
			break
		}
	}
	if single {
		c.dense = make([]T, n)
		for i, d := range r.docs {
			c.dense[d] = r.vals[i]
		}
		return
	}
	c.values = slices.Clone(r.vals)
	c.offsets = make([]uint32, n+1)
	for at, doc := 0, 0; doc < n; doc++ {
		from := at
		for at < len(r.docs) && r.docs[at] == uint32(doc) {
			at++
		}
		slices.SortFunc(c.values[from:at], compareNumbers)
		c.offsets[doc+1] = uint32(at)
	}
}
