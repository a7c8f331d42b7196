package planner

import (
	"sort"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// walkCost is how many documents can be run past the heap for one step of a walk, which
// jumps about in memory.
const walkCost = 4

// walk reads the page off the order of the first sort field's column. It returns false
// when that is not possible, or more work than looking at all matches: the page then
// lies among few matches, far apart in the order.
func (c *collector) walk(f *sortField, s *segment.Segment, matches *roaring.Bitmap) bool {
	if len(f.steps) > 0 || f.scale != 0 || f.out != f.source && f.out != floatValue {
		return false
	}
	var (
		order  []uint32
		keyAt  func(i int) uint64
		single bool
		has    *roaring.Bitmap
	)
	n, m := uint64(s.Len()), matches.GetCardinality()
	if steps := uint64(c.top.size) * n / max(m, 1); steps*walkCost >= m {
		return false
	}
	flip := f.flip()
	switch f.kind {
	case sortLong:
		col := s.Long(f.field)
		if col == nil || !col.Single() {
			return false
		}
		dense := col.Dense()
		order, single, has = col.Order(), true, col.Has()
		keyAt = func(i int) uint64 { return keyOfLong(dense[order[i]]) ^ flip }
	case sortDouble:
		col := s.Double(f.field)
		if col == nil || !col.Single() {
			return false
		}
		dense := col.Dense()
		order, single, has = col.Order(), true, col.Has()
		keyAt = func(i int) uint64 { return keyOfDouble(dense[order[i]]) ^ flip }
	}
	if !single {
		return false
	}
	var missing *roaring.Bitmap
	if has != nil {
		missing = roaring.AndNot(matches, has)
		// Documents without a value may stand anywhere: they are simply all offered.
		if missing.GetCardinality()*walkCost >= m {
			return false
		}
	}
	c.walkOrder(order, keyAt, f.desc, bitsOf(matches, s.Len()))
	if missing != nil {
		c.scan(missing)
	}
	return true
}

// walkOrder offers matching documents from the best first key on, until the heap is full
// and the next key is worse than all it holds.
func (c *collector) walkOrder(order []uint32, keyAt func(int) uint64, desc bool, matches bits) {
	n := len(order)
	at := func(i int) int {
		if desc {
			return n - 1 - i
		}
		return i
	}
	from := 0
	if c.cursor != nil {
		from = sort.Search(n, func(i int) bool { return keyAt(at(i)) >= c.cursor[0] })
	}
	var docs [32]uint32
	// Ties come in the order of documents when the walk goes up: then the first that fill
	// the heap stay, unless further keys decide.
	settled := !desc && (len(c.readers) == 1 || c.tiesByDoc)
	for i := from; i < n; {
		filled := 0
		for ; i < n && filled < len(docs); i++ {
			if doc := order[at(i)]; matches.has(doc) {
				docs[filled] = doc
				filled++
			}
		}
		c.offer(docs[:filled])
		if c.top.full() {
			if worst := c.top.worst(); i < n && (keyAt(at(i)) > worst || settled && keyAt(at(i)) == worst) {
				return
			}
		}
	}
}
