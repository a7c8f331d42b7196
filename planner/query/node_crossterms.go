package query

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// crossTerms are terms of several fields that count as if one field had them: each is
// taken to be about as frequent as the most frequent, and the best one scores.
type crossTerms struct {
	terms      []*term
	boosts     []float32
	tieBreaker float32
}

func (n *crossTerms) AppendKey(dst []byte) []byte {
	dst = append(dst, "cross("...)
	for i, t := range n.terms {
		dst = append(t.AppendKey(dst), '^')
		dst = append(appendFloat32(dst, n.boosts[i]), ',')
	}
	return append(appendFloat32(dst, n.tieBreaker), ')')
}

func (n *crossTerms) become(x *Exec) (Node, error) {
	freqs := make([]int64, len(n.terms))
	order := make([]int, len(n.terms))
	for i, t := range n.terms {
		freqs[i], order[i] = x.docFreq(t.column, t.value), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(freqs[b], freqs[a]) })
	actual, last := freqs[order[0]], freqs[order[0]]
	nodes := make([]Node, len(n.terms))
	for _, i := range order {
		t := *n.terms[i]
		if freqs[i] > 0 && len(n.terms) > 1 {
			if last > freqs[i] {
				actual++ // the rarer one stays a little rarer
			}
			last = freqs[i]
			t.docs = min(actual, x.docs(t.column))
		}
		nodes[i] = boost(&t, n.boosts[i])
	}
	return newDisMax(nodes, n.tieBreaker), nil
}

func (n *crossTerms) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	return matchMade(x, n, s)
}

func (n *crossTerms) scorer(x *Exec, boost float32) (scorer, error) { return scorerMade(x, n, boost) }

func (n *crossTerms) push(inObject bool) Pushed {
	list := make([]Pushed, len(n.terms))
	for i, t := range n.terms {
		list[i] = t.push(inObject)
	}
	return pushedAny(list)
}

func (n *crossTerms) reads(r *Reading) {
	for _, t := range n.terms {
		t.reads(r)
	}
}
