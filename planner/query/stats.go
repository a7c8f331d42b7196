package query

import (
	"postern/internal/segment"
)

// ShareStatistics has scores computed as if the documents of other indices were in the same
// one, as dfs_query_then_fetch does. It is called before the first score.
func (x *Exec) ShareStatistics(others [][]segment.Part) {
	for _, parts := range others {
		x.others = append(x.others, NewExec(x.ctx, parts))
	}
}

// stats computes a column's collection statistics over the live documents.
func (x *Exec) stats(c column) fieldStats {
	if st, ok := x.fields[c.field]; ok {
		return st
	}
	docs, length := x.lengths(c)
	st := newStats(c.bm25, docs, length)
	if x.fields == nil {
		x.fields = make(map[string]fieldStats)
	}
	x.fields[c.field] = st
	return st
}

// lengths counts the live documents that have a column, and their terms.
func (x *Exec) lengths(c column) (docs, terms int64) {
	for _, p := range x.scope(c.steps) {
		d, l := c.partStats(p)
		docs += d
		terms += l
	}
	for _, o := range x.others {
		d, l := o.lengths(c)
		docs += d
		terms += l
	}
	return docs, terms
}

// docs counts the live documents, or nested objects, that could have a column.
func (x *Exec) docs(c column) (n int64) {
	for _, p := range x.scope(c.steps) {
		if p.Live != nil {
			n += int64(p.Live.GetCardinality())
			continue
		}
		n += int64(p.Len())
	}
	for _, o := range x.others {
		n += o.docs(c)
	}
	return n
}

// partStats counts a part's live documents that have the column, and their terms.
func (c column) partStats(p segment.Part) (docs, length int64) {
	if c.text {
		t := p.Text(c.field)
		if t == nil {
			return 0, 0
		}
		docs, length = t.Stats(p.Live)
		if c.bare { // such an index only knows how many documents have each term
			length = 0
			for ord := range uint32(t.NumTerms()) {
				length += liveCount(c.docsOf(p.Segment, ord), p.Live)
			}
		}
		return docs, length
	}
	k := p.Keyword(c.field)
	if k == nil {
		return 0, 0
	}
	return k.Stats(p.Live)
}

// docFreq counts the live documents that have a term.
func (x *Exec) docFreq(c column, value string) int64 {
	var n int64
	for _, p := range x.scope(c.steps) {
		d := c.terms(p.Segment)
		if d == nil {
			continue
		}
		ord, ok := d.Lookup(value)
		if !ok {
			continue
		}
		if c.text && p.Live == nil {
			n += int64(len(p.Text(c.field).Postings(ord).Docs))
			continue
		}
		docs := c.docsOf(p.Segment, ord)
		if p.Live == nil {
			n += int64(docs.GetCardinality())
		} else {
			n += int64(docs.AndCardinality(p.Live))
		}
	}
	for _, o := range x.others {
		n += o.docFreq(c, value)
	}
	return n
}
