package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/internal/store"
)

// scoreMode is how the scores of a document's matching nested objects become one.
type scoreMode uint8

const (
	scoreAvg scoreMode = iota
	scoreSum
	scoreMin
	scoreMax
	scoreNone
)

// nested matches documents with a nested object that inner matches. steps are the
// nested paths from the node's own scope down to the objects, outermost first.
type nested struct {
	steps []string
	inner Node
	mode  scoreMode
}

func (n *nested) AppendKey(dst []byte) []byte {
	dst = append(dst, "nested("...)
	for _, p := range n.steps {
		dst = append(appendQuoted(dst, p), ',')
	}
	dst = append(dst, '0'+byte(n.mode), ',')
	return append(n.inner.AppendKey(dst), ')')
}

func (n *nested) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	return n.matchBelow(x, s, n.steps)
}

func (n *nested) matchBelow(x *Exec, s *segment.Segment, steps []string) (*roaring.Bitmap, error) {
	if len(steps) == 0 {
		return x.match(n.inner, s)
	}
	c := x.children(s, steps[0])
	if c == nil {
		return nothing, nil
	}
	children, err := n.matchBelow(x, c.Segment, steps[1:])
	if err != nil || children.IsEmpty() {
		return nothing, err
	}
	return parents(children, c.Parent), nil
}

// parents maps child documents to the documents they lie in. Children come in their
// parents' order, so the result is built ascending.
func parents(children *roaring.Bitmap, parent []uint32) *roaring.Bitmap {
	docs := make([]uint32, 0, 64)
	each(children, func(child uint32) {
		p := parent[child]
		if n := len(docs); n == 0 || docs[n-1] != p {
			docs = append(docs, p)
		}
	})
	return roaring.BitmapOf(docs...)
}

func (n *nested) scorer(x *Exec, boost float32) (scorer, error) {
	if n.mode == scoreNone {
		return zeroScorer{}, nil
	}
	inner, err := n.inner.scorer(x, boost)
	return nestedScorer{n, inner}, err
}

type nestedScorer struct {
	node  *nested
	inner scorer
}

func (c nestedScorer) constant() (float32, bool) { return 0, false }

func (c nestedScorer) add(x *Exec, s *segment.Segment, _ *roaring.Bitmap, acc []float64) error {
	// toRoot maps the objects of the innermost path to documents of s.
	var toRoot []uint32
	seg := s
	for _, step := range c.node.steps {
		ch := x.children(seg, step)
		if ch == nil {
			return nil
		}
		if toRoot == nil {
			toRoot = ch.Parent
		} else {
			up := make([]uint32, len(ch.Parent))
			for i, p := range ch.Parent {
				up[i] = toRoot[p]
			}
			toRoot = up
		}
		seg = ch.Segment
	}
	children, err := x.match(c.node.inner, seg)
	if err != nil {
		return err
	}
	scores := x.scratch(seg)
	defer x.release(scores)
	if err := c.inner.add(x, seg, children, scores); err != nil {
		return err
	}
	var (
		open  bool
		doc   uint32
		total float64
		count int
	)
	flush := func() {
		if !open {
			return
		}
		if c.node.mode == scoreAvg {
			total /= float64(count)
		}
		acc[doc] += float64(float32(total))
	}
	each(children, func(child uint32) {
		v := float64(float32(scores[child]))
		if p := toRoot[child]; !open || p != doc {
			flush()
			open, doc, total, count = true, p, v, 1
			return
		}
		count++
		switch c.node.mode {
		case scoreMin:
			total = min(total, v)
		case scoreMax:
			total = max(total, v)
		default:
			total += v
		}
	})
	flush()
	return nil
}

// newNested builds the node of objects below the current scope.
func newNested(steps []string, inner Node, mode scoreMode) Node {
	if IsMatchNone(inner) {
		return inner
	}
	return &nested{steps, inner, mode}
}

func (n *nested) push(bool) Pushed {
	p := pushed(n.inner, true)
	if p.Exactness == Never { // there is an object all the same
		p.Exactness = Superset
	}
	for i := len(n.steps) - 1; i >= 0; i-- {
		p.Filter = store.Nested{Path: n.steps[i], Filter: p.Filter}
	}
	return p
}

func (n *nested) reads(r *Reading) {
	for _, path := range n.steps {
		r.Field(path)
	}
	r.Node(n.inner)
}
