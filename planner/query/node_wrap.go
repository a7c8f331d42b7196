package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// constantScore matches as its inner node does and scores 1 for each match.
type constantScore struct{ inner Node }

// Filter takes the scores off a node.
func Filter(n Node) Node {
	switch n := n.(type) {
	case matchAll, matchNone:
		return n
	case *constantScore:
		return n
	case *boosted:
		return Filter(n.inner)
	}
	return &constantScore{n}
}

func (n *constantScore) AppendKey(dst []byte) []byte {
	return append(n.inner.AppendKey(append(dst, "const("...)), ')')
}

func (n *constantScore) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	return x.match(n.inner, s)
}

func (n *constantScore) scorer(_ *Exec, boost float32) (scorer, error) {
	return constScorer{n.inner, boost}, nil
}

// boosted multiplies the scores of its inner node. The factor is carried down to the
// leaves, where it becomes part of their weights.
type boosted struct {
	inner Node
	boost float32
}

func boost(n Node, factor float32) Node {
	if factor == 1 || IsMatchNone(n) {
		return n
	}
	if b, ok := n.(*boosted); ok {
		return boost(b.inner, b.boost*factor)
	}
	return &boosted{n, factor}
}

func (n *boosted) AppendKey(dst []byte) []byte {
	dst = n.inner.AppendKey(append(dst, "boost("...))
	return append(appendFloat32(append(dst, ','), n.boost), ')')
}

func (n *boosted) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	return x.match(n.inner, s)
}

func (n *boosted) scorer(x *Exec, boost float32) (scorer, error) {
	return n.inner.scorer(x, n.boost*boost)
}

func (n *constantScore) push(inObject bool) Pushed { return pushed(n.inner, inObject) }

func (n *constantScore) reads(r *Reading) { r.Node(n.inner) }

func (n *boosted) push(inObject bool) Pushed { return pushed(n.inner, inObject) }

func (n *boosted) reads(r *Reading) { r.Node(n.inner) }
