package query

import (
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// term matches the documents whose column has exactly one term, scored by BM25.
type term struct {
	column
	value string
	// docs is how many documents are taken to have the term, where other terms count
	// with it; 0: as many as do.
	docs int64
}

// IsTerm tells whether n is about one term of an inverted index.
func IsTerm(n Node) bool { _, ok := n.(*term); return ok }

func (n *term) AppendKey(dst []byte) []byte {
	dst = n.appendKey(append(dst, "term("...))
	dst = appendQuoted(append(dst, ','), n.value)
	if n.docs > 0 {
		dst = strconv.AppendInt(append(dst, '@'), n.docs, 10)
	}
	return append(dst, ')')
}

func (n *term) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	d := n.terms(s)
	if d == nil {
		return nothing, nil
	}
	ord, ok := d.Lookup(n.value)
	if !ok {
		return nothing, nil
	}
	return n.docsOf(s, ord), nil
}

func (n *term) scorer(x *Exec, boost float32) (scorer, error) {
	st := x.stats(n.column)
	if st.docs == 0 {
		return zeroScorer{}, nil
	}
	freq := n.docs
	if freq == 0 {
		freq = x.docFreq(n.column, n.value)
	}
	if freq == 0 {
		return zeroScorer{}, nil
	}
	return &termScorer{n, newBM25(boost, idf(st.docs, freq), st)}, nil
}

type termScorer struct {
	*term
	bm25
}

func (c *termScorer) constant() (float32, bool) {
	if c.text {
		return 0, false
	}
	return c.score(1, unnormed), true
}

func (c *termScorer) add(x *Exec, s *segment.Segment, docs *roaring.Bitmap, acc []float64) error {
	if !c.text {
		return constScorer{c.term, c.score(1, unnormed)}.add(x, s, docs, acc)
	}
	t := s.Text(c.field)
	if t == nil {
		return nil
	}
	ord, ok := t.Lookup(c.value)
	if !ok {
		return nil
	}
	p := t.Postings(ord)
	if c.bare {
		p.Freqs = ones(len(p.Docs))
	}
	lengths := c.lengths(t)
	if wanted := docs.GetCardinality(); wanted*16 < uint64(len(p.Docs)) {
		at := 0
		each(docs, func(doc uint32) {
			i, ok := slices.BinarySearch(p.Docs[at:], doc)
			at += i
			if ok {
				acc[doc] += float64(c.score(float32(p.Freqs[at]), norm(lengths, doc)))
			}
		})
		return nil
	}
	if lengths == nil {
		for i, doc := range p.Docs {
			acc[doc] += float64(c.score(float32(p.Freqs[i]), unnormed))
		}
		return nil
	}
	for i, doc := range p.Docs {
		acc[doc] += float64(c.score(float32(p.Freqs[i]), lengths[doc]))
	}
	return nil
}

// lengths are the encoded lengths of a text column, nil where they do not count.
func (c column) lengths(t *segment.TextColumn) []byte {
	if c.flat {
		return nil
	}
	return t.Lengths()
}

func ones(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = 1
	}
	return list
}

// norm is the encoded length of a document's field; lengths is nil where the field
// keeps no norms.
func norm(lengths []byte, doc uint32) byte {
	if lengths == nil {
		return unnormed
	}
	return lengths[doc]
}

func (n *term) push(bool) Pushed { return pushTerms(n.column, n.value) }

func (n *term) reads(r *Reading) { r.Field(n.field) }
