package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// finder is what a multi-term query stands for: some of the terms of a dictionary.
type finder interface {
	appendKey(dst []byte) []byte
	// find calls f with the ordinal of each such term, ascending, and how much it weighs.
	find(x *Exec, d dict, f func(ord uint32, weight float32)) error
}

// pattern matches the documents that have a term a finder finds, without scoring.
type pattern struct {
	column
	terms finder
}

func (n *pattern) AppendKey(dst []byte) []byte {
	dst = n.appendKey(append(dst, "pattern("...))
	return append(n.terms.appendKey(append(dst, ',')), ')')
}

func (n *pattern) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	d := n.column.terms(s)
	if d == nil {
		return nothing, nil
	}
	var ords []uint32
	if err := n.terms.find(x, d, func(ord uint32, _ float32) { ords = append(ords, ord) }); err != nil {
		return nil, err
	}
	return n.docsOfTerms(s, ords), nil
}

func (n *pattern) scorer(_ *Exec, boost float32) (scorer, error) { return constScorer{n, boost}, nil }

// ofPatterns is why patterns and ranges of terms are not pushed.
const ofPatterns = "a pattern or a range of terms"

func (n *pattern) push(bool) Pushed { return never(ofPatterns) }

func (n *pattern) reads(r *Reading) { r.Field(n.field) }

// scan walks the terms that begin with a prefix. f gives the ordinal to go on with,
// which is above the one it got.
func scan(x *Exec, d dict, prefix string, f func(ord uint32, term string) uint32) error {
	lo, hi := uint32(0), uint32(d.NumTerms())
	if prefix != "" {
		lo = d.LowerBound(prefix)
		if up := upperOfPrefix(prefix); !up.open {
			hi = d.LowerBound(up.value)
		}
	}
	steps := 0
	for o := lo; o < hi; {
		if steps++; steps&0xFFFF == 0 {
			if err := x.Alive(); err != nil {
				return err
			}
		}
		o = f(o, d.Term(o))
	}
	return nil
}

// after is the ordinal of the first term that does not begin as term does with n bytes.
func after(d dict, ord uint32, term string, n int) uint32 {
	up := upperOfPrefix(term[:n])
	if up.open {
		return uint32(d.NumTerms())
	}
	return max(ord+1, d.LowerBound(up.value))
}

func (g glob) appendKey(dst []byte) []byte {
	dst = appendQuoted(append(dst, "glob:"...), g.source)
	if g.fold {
		dst = append(dst, 'i')
	}
	return dst
}

func (g glob) find(x *Exec, d dict, f func(uint32, float32)) error {
	return scan(x, d, g.prefix(), func(o uint32, term string) uint32 {
		if g.matches(term) {
			f(o, 1)
		}
		return o + 1
	})
}
