package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// disMax matches what any of its nodes matches and scores the best of them, plus
// tieBreaker times the others.
type disMax struct {
	nodes      []Node
	tieBreaker float32
}

func newDisMax(nodes []Node, tieBreaker float32) Node {
	var some []Node
	for _, n := range nodes {
		if !IsMatchNone(n) {
			some = append(some, n)
		}
	}
	switch len(some) {
	case 0:
		return matchNone{}
	case 1:
		return some[0]
	}
	return &disMax{some, tieBreaker}
}

func (n *disMax) AppendKey(dst []byte) []byte {
	dst = appendNodes(append(dst, "dismax("...), n.nodes)
	return append(appendFloat32(append(dst, ','), n.tieBreaker), ')')
}

func (n *disMax) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	sets := make([]*roaring.Bitmap, 0, len(n.nodes))
	for _, c := range n.nodes {
		docs, err := x.match(c, s)
		if err != nil {
			return nil, err
		}
		sets = append(sets, docs)
	}
	return union(sets), nil
}

func (n *disMax) scorer(x *Exec, boost float32) (scorer, error) {
	subs, err := scorers(x, n.nodes, boost)
	if err != nil {
		return nil, err
	}
	for i, c := range n.nodes {
		subs[i] = optional(c, subs[i])
	}
	return disMaxScorer{subs, float64(n.tieBreaker)}, nil
}

type disMaxScorer struct {
	subs       []scorer
	tieBreaker float64
}

func (c disMaxScorer) constant() (float32, bool) { return 0, false }

func (c disMaxScorer) add(x *Exec, s *segment.Segment, docs *roaring.Bitmap, acc []float64) error {
	best, rest, one := x.scratch(s), x.scratch(s), x.scratch(s)
	defer x.release(best)
	defer x.release(rest)
	defer x.release(one)
	for _, sub := range c.subs {
		clear(one)
		if err := sub.add(x, s, docs, one); err != nil {
			return err
		}
		for i, v := range one {
			if v > best[i] {
				rest[i] += best[i]
				best[i] = v
			} else {
				rest[i] += v
			}
		}
	}
	for i, v := range best {
		acc[i] += float64(float32(v + rest[i]*c.tieBreaker))
	}
	return nil
}

func (n *disMax) push(inObject bool) Pushed { return pushedAny(pushAll(n.nodes, inObject)) }

func (n *disMax) reads(r *Reading) { r.nodes(n.nodes) }
