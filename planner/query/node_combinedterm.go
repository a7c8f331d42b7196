package query

import (
	"math"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// combinedTerm matches the documents that have any of some terms in any of some fields,
// and scores them as if the fields were one, by BM25F.
type combinedTerm struct {
	columns []column
	weights []float32
	values  []string
}

func (n *combinedTerm) AppendKey(dst []byte) []byte {
	dst = append(dst, "combined("...)
	for i, c := range n.columns {
		dst = append(appendFloat32(append(c.appendKey(dst), '^'), n.weights[i]), ',')
	}
	for _, v := range n.values {
		dst = appendQuoted(append(dst, ','), v)
	}
	return append(dst, ')')
}

func (n *combinedTerm) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	sets := make([]*roaring.Bitmap, len(n.columns))
	for i, c := range n.columns {
		docs, err := newSynonyms(c, n.values).match(x, s)
		if err != nil {
			return nil, err
		}
		sets[i] = docs
	}
	return union(sets), nil
}

func (n *combinedTerm) scorer(x *Exec, boost float32) (scorer, error) {
	var docs, terms, freq int64
	for i, c := range n.columns {
		d, length := x.lengths(c)
		docs = max(docs, d)
		terms += int64(float64(n.weights[i]) * float64(length))
		for _, v := range n.values {
			freq = max(freq, x.docFreq(c, v))
		}
	}
	if freq == 0 {
		return zeroScorer{}, nil
	}
	st := newStats(n.columns[0].bm25, docs, terms)
	return &combinedScorer{n, newBM25(boost, idf(docs, freq), st)}, nil
}

type combinedScorer struct {
	*combinedTerm
	bm25
}

func (c *combinedScorer) constant() (float32, bool) { return 0, false }

func (c *combinedScorer) add(x *Exec, s *segment.Segment, _ *roaring.Bitmap, acc []float64) error {
	freqs := x.scratch(s)
	defer x.release(freqs)
	sets := make([]*roaring.Bitmap, len(c.columns))
	for i, col := range c.columns {
		var err error
		if sets[i], err = col.count(s, c.values, float64(c.weights[i]), freqs); err != nil {
			return err
		}
	}
	each(union(sets), func(doc uint32) { acc[doc] += float64(c.score(float32(freqs[doc]), c.length(s, doc))) })
	return nil
}

// length is the encoded length of a document's fields together.
func (c *combinedScorer) length(s *segment.Segment, doc uint32) byte {
	var sum float32
	for i, col := range c.columns {
		if t := s.Text(col.field); t != nil && !col.flat {
			sum += c.weights[i] * decodedLengths[t.Lengths()[doc]]
		}
	}
	return segment.EncodeLength(int(math.Floor(float64(sum) + 0.5)))
}

func (n *combinedTerm) push(bool) Pushed {
	list := make([]Pushed, len(n.columns))
	for i, c := range n.columns {
		list[i] = pushTerms(c, n.values...)
	}
	return pushedAny(list)
}

func (n *combinedTerm) reads(r *Reading) {
	for _, c := range n.columns {
		r.Field(c.field)
	}
}
