package query

import (
	"math"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/internal/store"
)

// doubles matches the documents with any of some floating point numbers.
type doubles struct {
	field  string
	values []float64 // sorted, distinct
}

func newDoubles(field string, values ...float64) Node {
	slices.Sort(values)
	values = slices.CompactFunc(values, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
	switch len(values) {
	case 0:
		return matchNone{}
	case 1:
		return &doubleRange{field, values[0], values[0]}
	}
	return &doubles{field, values}
}

func (n *doubles) AppendKey(dst []byte) []byte {
	dst = appendQuoted(append(dst, "doubles("...), n.field)
	for _, v := range n.values {
		dst = strconv.AppendFloat(append(dst, ','), v, 'g', -1, 64)
	}
	return append(dst, ')')
}

func (n *doubles) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	c := s.Double(n.field)
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

func (n *doubles) scorer(_ *Exec, boost float32) (scorer, error) { return constScorer{n, boost}, nil }

// doubleRange matches the documents with a floating point number in [lo, hi].
type doubleRange struct {
	field  string
	lo, hi float64
}

func (n *doubleRange) AppendKey(dst []byte) []byte {
	dst = appendQuoted(append(dst, "drange("...), n.field)
	dst = strconv.AppendFloat(append(dst, ','), n.lo, 'g', -1, 64)
	return append(strconv.AppendFloat(append(dst, ','), n.hi, 'g', -1, 64), ')')
}

func (n *doubleRange) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	c := s.Double(n.field)
	if c == nil || !(n.lo <= n.hi) {
		return nothing, nil
	}
	return c.Range(n.lo, n.hi), nil
}

// test asks the range of single documents; nil where some have several values.
func (n *doubleRange) test(s *segment.Segment) func(doc uint32) bool {
	c := s.Double(n.field)
	if c == nil || !c.Single() {
		return nil
	}
	dense, has := c.Dense(), c.Has()
	return func(doc uint32) bool {
		v := dense[doc]
		return n.lo <= v && v <= n.hi && (v != 0 || n.hasZero(math.Signbit(v))) && (has == nil || has.Contains(doc))
	}
}

// hasZero tells which of the zeros, of which -0.0 is the lesser, are in a range whose bounds
// are on both sides of zero or on it.
func (n *doubleRange) hasZero(negative bool) bool {
	if negative {
		return n.lo < 0 || math.Signbit(n.lo)
	}
	return n.hi > 0 || !math.Signbit(n.hi)
}

func (n *doubleRange) scorer(_ *Exec, boost float32) (scorer, error) {
	return constScorer{n, boost}, nil
}

func (n *doubles) push(bool) Pushed {
	any := make(store.Or, len(n.values))
	zero := false
	for i, v := range n.values {
		any[i] = store.Range{Field: n.field, From: v, To: v}
		zero = zero || v == 0
	}
	if zero {
		return wider(any, "zeros that an engine does not tell apart")
	}
	return exactly(any)
}

func (n *doubles) reads(r *Reading) { r.Field(n.field) }

func (n *doubleRange) push(bool) Pushed {
	if !(n.lo <= n.hi) {
		return none()
	}
	f := store.Range{Field: n.field, From: n.lo, To: n.hi}
	if !n.hasZero(true) && n.lo == 0 || !n.hasZero(false) && n.hi == 0 {
		return wider(f, "zeros that an engine does not tell apart")
	}
	return exactly(f)
}

func (n *doubleRange) reads(r *Reading) { r.Field(n.field) }
