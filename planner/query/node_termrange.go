package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// bound is one end of a range of terms.
type bound struct {
	value     string
	inclusive bool
	open      bool // no bound at this end
}

func (b bound) appendKey(dst []byte) []byte {
	if b.open {
		return append(dst, '*')
	}
	if b.inclusive {
		dst = append(dst, '=')
	}
	return appendQuoted(dst, b.value)
}

// termRange matches the documents that have a term between two bounds, in the order of
// the terms' bytes. Prefixes are such ranges, too.
type termRange struct {
	column
	lo, hi bound
}

func (n *termRange) AppendKey(dst []byte) []byte {
	dst = n.appendKey(append(dst, "trange("...))
	dst = n.lo.appendKey(append(dst, ','))
	return append(n.hi.appendKey(append(dst, ',')), ')')
}

func (n *termRange) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	d := n.terms(s)
	if d == nil {
		return nothing, nil
	}
	lo, hi := uint32(0), uint32(d.NumTerms())
	if !n.lo.open {
		lo = d.LowerBound(n.lo.value)
		if _, ok := d.Lookup(n.lo.value); ok && !n.lo.inclusive {
			lo++
		}
	}
	if !n.hi.open {
		hi = d.LowerBound(n.hi.value)
		if _, ok := d.Lookup(n.hi.value); ok && n.hi.inclusive {
			hi++
		}
	}
	return n.docsOfRange(s, lo, hi), nil
}

func (n *termRange) scorer(_ *Exec, boost float32) (scorer, error) {
	return constScorer{n, boost}, nil
}

// prefixRange is the range of the terms that begin with a prefix.
func prefixRange(c column, prefix string) Node {
	lo := bound{value: prefix, inclusive: true}
	return &termRange{c, lo, upperOfPrefix(prefix)}
}

// upperOfPrefix is the first term after those with the prefix.
func upperOfPrefix(prefix string) bound {
	b := []byte(prefix)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < 0xFF {
			b[i]++
			return bound{value: string(b[:i+1])}
		}
	}
	return bound{open: true}
}

func (n *termRange) push(bool) Pushed { return never(ofPatterns) }

func (n *termRange) reads(r *Reading) { r.Field(n.field) }
