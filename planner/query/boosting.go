package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/segment"
)

func parseBoosting(c *Context, q *gen.QueryContainer) (Node, error) {
	b := q.Boosting
	switch {
	case b.Positive == nil:
		return nil, &RequestError{&eserr.Error{Status: 400, Type: "parsing_exception", Reason: "[boosting] query requires 'positive' query to be set'"}}
	case b.Negative == nil:
		return nil, &RequestError{&eserr.Error{Status: 400, Type: "parsing_exception", Reason: "[boosting] query requires 'negative' query to be set'"}}
	case b.NegativeBoost < 0:
		return nil, &RequestError{&eserr.Error{Status: 400, Type: "parsing_exception", Reason: "[boosting] query requires 'negative_boost' to be set to be a positive value'"}}
	}
	positive, err := Parse(c, b.Positive)
	if err != nil {
		return nil, err
	}
	negative, err := Parse(c, b.Negative)
	if err != nil {
		return nil, err
	}
	return c.finish(&demoted{positive, negative, float32(b.NegativeBoost)}, b.Boost, b.Name)
}

// demoted matches as one node does and multiplies the scores of what another one
// matches, too.
type demoted struct {
	inner, less Node
	factor      float32
}

func (n *demoted) AppendKey(dst []byte) []byte {
	dst = append(n.inner.AppendKey(append(dst, "demoted("...)), ',')
	dst = append(n.less.AppendKey(dst), ',')
	return append(appendFloat32(dst, n.factor), ')')
}

func (n *demoted) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	return x.match(n.inner, s)
}

func (n *demoted) scorer(x *Exec, boost float32) (scorer, error) {
	inner, err := n.inner.scorer(x, 1)
	return &demotedScorer{n, inner, boost}, err
}

type demotedScorer struct {
	*demoted
	of    scorer
	boost float32
}

func (c *demotedScorer) constant() (float32, bool) { return 0, false }

func (c *demotedScorer) add(x *Exec, s *segment.Segment, docs *roaring.Bitmap, acc []float64) error {
	matches, err := x.match(c.inner, s)
	if err != nil {
		return err
	}
	less, err := x.match(c.less, s)
	if err != nil {
		return err
	}
	matches = roaring.And(matches, docs)
	scores := x.scratch(s)
	defer x.release(scores)
	if err := c.of.add(x, s, matches, scores); err != nil {
		return err
	}
	each(matches, func(doc uint32) {
		v := float32(scores[doc])
		if less.Contains(doc) {
			v *= c.factor
		}
		acc[doc] += float64(v * c.boost)
	})
	return nil
}

func (n *demoted) push(inObject bool) Pushed { return pushed(n.inner, inObject) }

func (n *demoted) reads(r *Reading) { r.nodes([]Node{n.inner, n.less}) }
