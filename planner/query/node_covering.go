package query

import (
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// covering matches the documents that enough of its nodes match: as many as the document
// itself says in a field, or a number for all. It scores their sum, as Lucene's
// CoveringQuery.
type covering struct {
	nodes  []Node
	field  string // "" for need
	double bool
	need   int
}

func (n *covering) AppendKey(dst []byte) []byte {
	dst = appendNodes(append(dst, "covering("...), n.nodes)
	dst = appendQuoted(append(dst, ','), n.field)
	return append(strconv.AppendInt(append(dst, ','), int64(n.need), 10), ')')
}

func (n *covering) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	counts := make([]int64, s.Len())
	for _, c := range n.nodes {
		docs, err := x.match(c, s)
		if err != nil {
			return nil, err
		}
		each(docs, func(doc uint32) { counts[doc]++ })
	}
	least := n.least(s)
	var docs []uint32
	for doc, count := range counts {
		if count == 0 {
			continue
		}
		if need, ok := least(uint32(doc)); ok && count >= max(1, need) {
			docs = append(docs, uint32(doc))
		}
	}
	return roaring.BitmapOf(docs...), nil
}

// least tells how many nodes must match a document; a document without a number is
// matched by none.
func (n *covering) least(s *segment.Segment) func(doc uint32) (int64, bool) {
	none := func(uint32) (int64, bool) { return 0, false }
	switch {
	case n.field == "":
		return func(uint32) (int64, bool) { return int64(n.need), true }
	case n.double:
		c := s.Double(n.field)
		if c == nil {
			return none
		}
		return func(doc uint32) (int64, bool) { return first[float64](c.Values(doc)) }
	}
	c := s.Long(n.field)
	if c == nil {
		return none
	}
	return func(doc uint32) (int64, bool) { return first[int64](c.Values(doc)) }
}

func first[T int64 | float64](values []T) (int64, bool) {
	if len(values) == 0 {
		return 0, false
	}
	return int64(values[0]), true
}

func (n *covering) scorer(x *Exec, boost float32) (scorer, error) {
	subs, err := scorers(x, n.nodes, boost)
	if err != nil {
		return nil, err
	}
	for i, c := range n.nodes {
		subs[i] = optional(c, subs[i])
	}
	return coveringScorer{sumScorer(subs)}, nil
}

// coveringScorer is a sum even of one clause.
type coveringScorer struct{ sumScorer }

func (n *covering) push(inObject bool) Pushed {
	p := pushedAny(pushAll(n.nodes, inObject))
	if p.Exactness == Exact {
		p.Exactness, p.Why = Superset, "how many terms must match differs by document"
	}
	return p
}

func (n *covering) reads(r *Reading) {
	r.nodes(n.nodes)
	if n.field != "" {
		r.Field(n.field)
	}
}
