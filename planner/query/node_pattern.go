package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// pattern matches the documents that have a term a glob accepts.
type pattern struct {
	column
	glob glob
}

func (n *pattern) AppendKey(dst []byte) []byte {
	dst = n.appendKey(append(dst, "glob("...))
	dst = appendQuoted(append(dst, ','), n.glob.source)
	if n.glob.fold {
		dst = append(dst, ",i"...)
	}
	return append(dst, ')')
}

func (n *pattern) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	d := n.terms(s)
	if d == nil {
		return nothing, nil
	}
	lo, hi := uint32(0), uint32(d.NumTerms())
	if prefix := n.glob.prefix(); prefix != "" {
		lo = d.LowerBound(prefix)
		if up := upperOfPrefix(prefix); !up.open {
			hi = d.LowerBound(up.value)
		}
	}
	var ords []uint32
	for o := lo; o < hi; o++ {
		if o&0xFFFF == 0xFFFF {
			if err := x.Alive(); err != nil {
				return nil, err
			}
		}
		if n.glob.matches(d.Term(o)) {
			ords = append(ords, o)
		}
	}
	return n.docsOfTerms(s, ords), nil
}

func (n *pattern) scorer(_ *Exec, boost float32) (scorer, error) { return constScorer{n, boost}, nil }

// ofPatterns is why patterns and ranges of terms are not pushed.
const ofPatterns = "a pattern or a range of terms"

func (n *pattern) push(bool) Pushed { return never(ofPatterns) }

func (n *pattern) reads(r *Reading) { r.Field(n.field) }
