package query

import (
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/internal/store"
)

// longs matches the documents with any of some whole numbers; dates and booleans are
// such numbers, too.
type longs struct {
	field  string
	values []int64 // sorted, distinct
}

func newLongs(field string, values ...int64) Node {
	slices.Sort(values)
	values = slices.Compact(values)
	switch len(values) {
	case 0:
		return matchNone{}
	case 1:
		return &longRange{field, values[0], values[0]}
	}
	return &longs{field, values}
}

func (n *longs) AppendKey(dst []byte) []byte {
	dst = appendQuoted(append(dst, "longs("...), n.field)
	for _, v := range n.values {
		dst = strconv.AppendInt(append(dst, ','), v, 10)
	}
	return append(dst, ')')
}

func (n *longs) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	c := s.Long(n.field)
	if c == nil {
		return nothing, nil
	}
	sets := make([]*roaring.Bitmap, 0, len(n.values))
	for _, v := range n.values {
		if docs := c.Range(v, v); !docs.IsEmpty() {
			sets = append(sets, docs)
		}
	}
	return union(sets), nil
}

func (n *longs) scorer(_ *Exec, boost float32) (scorer, error) { return constScorer{n, boost}, nil }

// longRange matches the documents with a whole number in [lo, hi].
type longRange struct {
	field  string
	lo, hi int64
}

func (n *longRange) AppendKey(dst []byte) []byte {
	dst = appendQuoted(append(dst, "lrange("...), n.field)
	dst = strconv.AppendInt(append(dst, ','), n.lo, 10)
	return append(strconv.AppendInt(append(dst, ','), n.hi, 10), ')')
}

func (n *longRange) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	c := s.Long(n.field)
	if c == nil || n.lo > n.hi {
		return nothing, nil
	}
	return c.Range(n.lo, n.hi), nil
}

// test asks the range of single documents; nil where some have several values.
func (n *longRange) test(s *segment.Segment) func(doc uint32) bool {
	c := s.Long(n.field)
	if c == nil || !c.Single() {
		return nil
	}
	dense, has := c.Dense(), c.Has()
	return func(doc uint32) bool {
		v := dense[doc]
		return n.lo <= v && v <= n.hi && (has == nil || has.Contains(doc))
	}
}

func (n *longRange) scorer(_ *Exec, boost float32) (scorer, error) {
	return constScorer{n, boost}, nil
}

func (n *longs) push(bool) Pushed { return exactly(store.Longs{Field: n.field, Values: n.values}) }

func (n *longs) reads(r *Reading) { r.Field(n.field) }

func (n *longRange) push(bool) Pushed { return PushLongs(n.field, n.lo, n.hi) }

func (n *longRange) reads(r *Reading) { r.Field(n.field) }
