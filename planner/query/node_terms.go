package query

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/internal/store"
)

// terms matches the documents whose column has any of some terms, without scoring.
type terms struct {
	column
	values []string // sorted, distinct
}

func newTerms(c column, values []string) Node {
	values = slices.Clone(values)
	slices.Sort(values)
	values = slices.Compact(values)
	if len(values) == 0 {
		return matchNone{}
	}
	return &terms{c, values}
}

func (n *terms) AppendKey(dst []byte) []byte {
	dst = n.appendKey(append(dst, "terms("...))
	for _, v := range n.values {
		dst = appendQuoted(append(dst, ','), v)
	}
	return append(dst, ')')
}

func (n *terms) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	d := n.terms(s)
	if d == nil {
		return nothing, nil
	}
	ords := make([]uint32, 0, len(n.values))
	for _, v := range n.values {
		if ord, ok := d.Lookup(v); ok {
			ords = append(ords, ord)
		}
	}
	return n.docsOfTerms(s, ords), nil
}

func (n *terms) scorer(_ *Exec, boost float32) (scorer, error) { return constScorer{n, boost}, nil }

func (n *terms) push(bool) Pushed { return pushTerms(n.column, n.values...) }

func (n *terms) reads(r *Reading) { r.Field(n.field) }

func pushTerms(c column, values ...string) Pushed {
	if c.text && slices.Contains(values, "") { // no text has that token, but a store may
		values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
	}
	return exactly(store.Terms{Field: c.field, Terms: values})
}
