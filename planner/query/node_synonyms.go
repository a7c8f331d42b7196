package query

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// synonyms matches the documents that have any of some terms, which count as one term:
// as frequent as the most frequent, and in a document as often as all together.
type synonyms struct {
	column
	values []string // sorted, distinct, two or more
}

func newSynonyms(c column, values []string) Node {
	values = slices.Clone(values)
	slices.Sort(values)
	values = slices.Compact(values)
	switch len(values) {
	case 0:
		return matchNone{}
	case 1:
		return &term{column: c, value: values[0]}
	}
	return &synonyms{c, values}
}

func (n *synonyms) AppendKey(dst []byte) []byte {
	dst = n.appendKey(append(dst, "synonyms("...))
	for _, v := range n.values {
		dst = appendQuoted(append(dst, ','), v)
	}
	return append(dst, ')')
}

func (n *synonyms) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	d := n.terms(s)
	if d == nil {
		return nothing, nil
	}
	var sets []*roaring.Bitmap
	for _, v := range n.values {
		if ord, ok := d.Lookup(v); ok {
			sets = append(sets, n.docsOf(s, ord))
		}
	}
	return union(sets), nil
}

func (n *synonyms) scorer(x *Exec, boost float32) (scorer, error) {
	st := x.stats(n.column)
	var freq int64
	for _, v := range n.values {
		freq = max(freq, x.docFreq(n.column, v))
	}
	if freq == 0 {
		return zeroScorer{}, nil
	}
	return &synonymsScorer{n, newBM25(boost, idf(st.docs, freq), st)}, nil
}

type synonymsScorer struct {
	*synonyms
	bm25
}

func (c *synonymsScorer) constant() (float32, bool) { return 0, false }

func (c *synonymsScorer) add(x *Exec, s *segment.Segment, _ *roaring.Bitmap, acc []float64) error {
	freqs := x.scratch(s)
	defer x.release(freqs)
	docs, err := c.column.count(s, c.values, 1, freqs)
	if err != nil {
		return err
	}
	var lengths []byte
	if t := s.Text(c.field); c.text && t != nil {
		lengths = c.lengths(t)
	}
	each(docs, func(doc uint32) { acc[doc] += float64(c.score(float32(freqs[doc]), norm(lengths, doc))) })
	return nil
}

// count adds how often each document has any of some terms, times a weight, and gives
// the documents that have.
func (c column) count(s *segment.Segment, values []string, weight float64, freqs []float64) (*roaring.Bitmap, error) {
	d := c.terms(s)
	if d == nil {
		return nothing, nil
	}
	var sets []*roaring.Bitmap
	for _, v := range values {
		ord, ok := d.Lookup(v)
		if !ok {
			continue
		}
		docs := c.docsOf(s, ord)
		sets = append(sets, docs)
		if !c.text || c.bare {
			each(docs, func(doc uint32) { freqs[doc] += weight })
			continue
		}
		p := s.Text(c.field).Postings(ord)
		for i, doc := range p.Docs {
			freqs[doc] += weight * float64(p.Freqs[i])
		}
	}
	return union(sets), nil
}

func (n *synonyms) push(bool) Pushed { return pushTerms(n.column, n.values...) }

func (n *synonyms) reads(r *Reading) { r.Field(n.field) }
