package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/mapping"
	"postern/internal/segment"
)

// column names a field together with the kind of column its terms lie in.
type column struct {
	field string
	text  bool
	flat  bool // a text without norms: its length does not count
	bare  bool // a text without frequencies: each of its terms counts once
	bm25  mapping.BM25
	steps []string // nested paths from the root to where the field's values lie
}

func (c column) appendKey(dst []byte) []byte { return appendQuoted(dst, c.field) }

// dict is a sorted term dictionary with postings: that of a keyword or of a text column.
type dict interface {
	NumTerms() int
	Term(ord uint32) string
	Lookup(term string) (ord uint32, ok bool)
	LowerBound(term string) uint32
}

// terms finds the dictionary of the column in a segment; nil when no document has it.
func (c column) terms(s *segment.Segment) dict {
	if c.text {
		if t := s.Text(c.field); t != nil {
			return t
		}
		return nil
	}
	if k := s.Keyword(c.field); k != nil {
		return k
	}
	return nil
}

// docsOf gives the documents of one term.
func (c column) docsOf(s *segment.Segment, ord uint32) *roaring.Bitmap {
	if c.text {
		return bitmapOf(s.Text(c.field).Postings(ord).Docs, s.Len())
	}
	return s.Keyword(c.field).Postings(ord)
}

// docsOfTerms gives the documents that have any of some terms, given by ordinal.
func (c column) docsOfTerms(s *segment.Segment, ords []uint32) *roaring.Bitmap {
	if k := s.Keyword(c.field); !c.text && len(ords) > 32 && k.Single() {
		wanted := make([]bool, k.NumTerms())
		for _, o := range ords {
			wanted[o] = true
		}
		return scanOrds(k.OrdOf(), func(o uint32) bool { return wanted[o] })
	}
	sets := make([]*roaring.Bitmap, len(ords))
	for i, o := range ords {
		sets[i] = c.docsOf(s, o)
	}
	return union(sets)
}

// docsOfRange gives the documents that have a term with an ordinal in [lo, hi).
func (c column) docsOfRange(s *segment.Segment, lo, hi uint32) *roaring.Bitmap {
	if lo >= hi {
		return nothing
	}
	if k := s.Keyword(c.field); !c.text && hi-lo > 32 && k.Single() {
		return scanOrds(k.OrdOf(), func(o uint32) bool { return o-lo < hi-lo })
	}
	sets := make([]*roaring.Bitmap, 0, hi-lo)
	for o := lo; o < hi; o++ {
		sets = append(sets, c.docsOf(s, o))
	}
	return union(sets)
}

// scanOrds tests the one ordinal of every document, which costs less than the union
// of many postings.
func scanOrds(ordOf []uint32, want func(uint32) bool) *roaring.Bitmap {
	words := make([]uint64, (len(ordOf)+63)/64)
	for doc, o := range ordOf {
		if o != segment.NoOrd && want(o) {
			words[doc>>6] |= 1 << (doc & 63)
		}
	}
	return roaring.FromDense(words, false)
}

// bitmapOf makes a bitmap of ascending documents of a segment of n.
func bitmapOf(docs []uint32, n int) *roaring.Bitmap {
	if len(docs)*64 < n {
		return roaring.BitmapOf(docs...)
	}
	words := make([]uint64, (n+63)/64)
	for _, d := range docs {
		words[d>>6] |= 1 << (d & 63)
	}
	return roaring.FromDense(words, false)
}
