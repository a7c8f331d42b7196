package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/internal/store"
)

// flag matches the documents whose boolean field has a value. Elasticsearch indexes
// booleans as the terms T and F, so they are scored as terms.
type flag struct {
	column
	value bool
}

func (n *flag) AppendKey(dst []byte) []byte {
	dst = n.appendKey(append(dst, "flag("...))
	if n.value {
		return append(dst, ",true)"...)
	}
	return append(dst, ",false)"...)
}

func (n *flag) long() int64 {
	if n.value {
		return 1
	}
	return 0
}

func (n *flag) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	c := s.Long(n.field)
	if c == nil {
		return nothing, nil
	}
	return c.Range(n.long(), n.long()), nil
}

func (n *flag) scorer(x *Exec, boost float32) (scorer, error) {
	var docs, either [2]int64 // by value; and the documents that have the field
	for _, p := range x.scope(n.steps) {
		c := p.Long(n.field)
		if c == nil {
			continue
		}
		for v := range docs {
			docs[v] += liveCount(c.Range(int64(v), int64(v)), p.Live)
		}
		either[0] += liveCount(c.Range(0, 1), p.Live)
	}
	freq := docs[n.long()]
	if freq == 0 {
		return zeroScorer{}, nil
	}
	return constTerm(n, boost, freq, either[0], docs[0]+docs[1]), nil
}

// constTerm scores a term of a field without frequencies and norms: the same for all
// matches. docs have the field, with terms in sum.
func constTerm(n Node, boost float32, freq, docs, terms int64) scorer {
	b := newBM25(boost, idf(docs, freq), newStats(mapping.DefaultBM25(), docs, terms))
	return constScorer{n, b.score(1, unnormed)}
}

func liveCount(docs, live *roaring.Bitmap) int64 {
	if live == nil {
		return int64(docs.GetCardinality())
	}
	return int64(docs.AndCardinality(live))
}

func (n *flag) push(bool) Pushed {
	return exactly(store.Longs{Field: n.field, Values: []int64{n.long()}})
}

func (n *flag) reads(r *Reading) { r.Field(n.field) }
