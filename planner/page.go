package planner

import (
	"math"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/planner/query"
)

// found is one document of a page before it is fetched.
type found struct {
	shard, part int
	doc         uint32
	seqNo       int64
	score       float32
	values      []sortValue
}

// pager picks the first documents of one index in the order of a sort.
type pager struct {
	x      *query.Exec
	sort   []*sortField
	size   int
	after  []sortValue // nil: from the start
	rules  RuleSet
	base   uint32 // documents in the parts before
	walked bool
	// oneScore says that all documents have the same one.
	oneScore bool
}

// batch is how many documents are looked at in one go.
const batch = 256

// pick returns the best documents of a part among its matches, best first. scores is
// nil unless the sort, or the answer, needs them.
func (p *pager) pick(part segment.Part, matches *roaring.Bitmap, scores []float32) ([]found, error) {
	if p.size == 0 || matches.IsEmpty() {
		return nil, nil
	}
	readers := make([]keyReader, len(p.sort))
	for i, f := range p.sort {
		r, err := openKeys(p.x, f, part, p.base, scores)
		if err != nil {
			return nil, err
		}
		readers[i] = r
	}
	var cursor []uint64
	if p.after != nil {
		cursor = make([]uint64, len(readers))
		for i, r := range readers {
			cursor[i] = r.after(p.after[i])
		}
	}
	c := &collector{readers: readers, cursor: cursor, top: newTopK(p.size, len(readers)),
		tiesByDoc: len(p.sort) == 2 && p.sort[1].ordersDocs()}
	switch {
	case p.rules.On(TakeFirst) && p.inOrder():
		c.takeFirst(matches, p.resume())
	case p.rules.On(WalkOrder) && c.walk(p.sort[0], part.Segment, matches):
		p.walked = true
	default:
		c.scan(matches)
	}
	return p.collect(c, part), nil
}

// inOrder tells that the page is simply the first matches from some document on:
// documents sorted by their order, or by that among equal scores.
func (p *pager) inOrder() bool {
	f := p.sort[0]
	if p.oneScore && f.kind == sortScore {
		if len(p.sort) == 1 {
			return true
		}
		f = p.sort[1]
	}
	return f.ordersDocs()
}

// ordersDocs tells that the field is the order of documents.
func (f *sortField) ordersDocs() bool {
	return (f.kind == sortDoc || f.kind == sortShardDoc) && !f.desc
}

// resume is the first document of the part at hand that can follow the cursor, if the
// page is in the order of documents.
func (p *pager) resume() int64 {
	if p.after == nil {
		return 0
	}
	for i, f := range p.sort {
		if f.ordersDocs() {
			return p.after[i].i - f.first - int64(p.base)
		}
	}
	return 0
}

// passed tells that the part at hand lies before the cursor, whatever it matches.
func (p *pager) passed(part segment.Part) bool {
	return p.after != nil && p.rules.On(TakeFirst) && p.sort[0].ordersDocs() && p.resume() >= int64(part.Len())
}

func (p *pager) collect(c *collector, part segment.Part) []found {
	slots := c.top.sorted()
	out := make([]found, len(slots))
	values := make([]sortValue, len(slots)*len(c.readers))
	for i, slot := range slots {
		v := values[i*len(c.readers) : (i+1)*len(c.readers)]
		for j, key := range c.top.keysOf(slot) {
			v[j] = c.readers[j].value(key)
		}
		doc := c.top.docs[slot]
		out[i] = found{doc: doc, seqNo: part.SeqNo(doc), values: v}
	}
	return out
}

// collector runs documents past the keys into the heap.
type collector struct {
	readers []keyReader
	cursor  []uint64
	top     *topK
	keys    []uint64
	// tiesByDoc says that the second and last key is the order of documents.
	tiesByDoc bool
}

func (c *collector) scan(matches *roaring.Bitmap) {
	var docs [batch]uint32
	it := matches.ManyIterator()
	for n := it.NextMany(docs[:]); n > 0; n = it.NextMany(docs[:]) {
		c.offer(docs[:n])
	}
}

// takeFirst offers no more documents than fit, from one on, which may be the cursor's.
func (c *collector) takeFirst(matches *roaring.Bitmap, from int64) {
	if from > math.MaxUint32 {
		return
	}
	docs := make([]uint32, 0, min(c.top.size+1, int(matches.GetCardinality())))
	it := matches.Iterator()
	it.AdvanceIfNeeded(uint32(max(from, 0)))
	for it.HasNext() && len(docs) < cap(docs) {
		docs = append(docs, it.Next())
	}
	c.offer(docs)
}

// offer runs a batch past the heap. The first key alone turns most documents away once
// the heap is full.
func (c *collector) offer(docs []uint32) {
	if len(docs) == 0 {
		return
	}
	w := len(c.readers)
	if need := len(docs) * w; cap(c.keys) < need {
		c.keys = make([]uint64, max(need, batch*w))
	}
	keys := c.keys[:len(docs)*w]
	c.readers[0].read(docs, keys, w)
	if w > 1 {
		docs = c.candidates(docs, keys, w)
		for j := 1; j < w && len(docs) > 0; j++ {
			c.readers[j].read(docs, keys[j:], w)
		}
	}
	for i, doc := range docs {
		key := keys[i*w : i*w+w]
		if c.top.full() && key[0] > c.top.worst() {
			continue
		}
		if c.cursor != nil && !beyond(key, c.cursor) {
			continue
		}
		c.top.offer(key, doc)
	}
}

// candidates drops the documents that the first key already decides against, so that
// the other keys are read for few.
func (c *collector) candidates(docs []uint32, keys []uint64, w int) []uint32 {
	full := c.top.full()
	if !full && c.cursor == nil {
		return docs
	}
	kept := 0
	for i, doc := range docs {
		k := keys[i*w]
		if full && k > c.top.worst() || c.cursor != nil && k < c.cursor[0] {
			continue
		}
		docs[kept] = doc
		keys[kept*w] = k
		kept++
	}
	return docs[:kept]
}

// beyond tells whether keys come strictly after the cursor's.
func beyond(key, cursor []uint64) bool {
	for i, k := range key {
		if k != cursor[i] {
			return k > cursor[i]
		}
	}
	return false
}
