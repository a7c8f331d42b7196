package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// scorer adds a clause's scores to an accumulator with one slot a document. Lucene
// sums the clauses of a bool in double precision and rounds the sum to float, so a
// slot is a float64 and every scorer adds float32 values.
type scorer interface {
	// add adds the scores of the clause to the slots of docs. The scorer of a required
	// clause may change the slots of documents outside docs at will; that of an
	// optional one (see optional) leaves documents alone that it does not match.
	add(x *Exec, s *segment.Segment, docs *roaring.Bitmap, acc []float64) error
	// constant tells the one score all matches have, if there is one.
	constant() (float32, bool)
}

// Scorer scores the matches of one query over one snapshot.
type Scorer struct {
	x    *Exec
	root scorer
}

// NewScorer gathers the statistics and weights that scoring n takes.
func NewScorer(x *Exec, n Node) (*Scorer, error) {
	root, err := n.scorer(x, 1)
	if err != nil {
		return nil, err
	}
	return &Scorer{x, root}, nil
}

// Constant tells the one score that every match has, if scores cannot differ.
func (s *Scorer) Constant() (float32, bool) { return s.root.constant() }

// Score writes the scores of docs, which must match the query, into scores, which has
// a slot for every document of the part; other slots are left unspecified.
func (s *Scorer) Score(p segment.Part, docs *roaring.Bitmap, scores []float32) error {
	if c, ok := s.root.constant(); ok {
		for i := range scores {
			scores[i] = c
		}
		return nil
	}
	acc := s.x.scratch(p.Segment)
	defer s.x.release(acc)
	if err := s.addRoot(p.Segment, docs, acc); err != nil {
		return err
	}
	each(docs, func(doc uint32) { scores[doc] = float32(acc[doc]) })
	return nil
}

// addRoot is the root's add. The clauses of a sum that is the root itself need no
// accumulator of their own: what is rounded after them is their sum.
func (s *Scorer) addRoot(seg *segment.Segment, docs *roaring.Bitmap, acc []float64) error {
	sum, ok := s.root.(sumScorer)
	if !ok {
		return s.root.add(s.x, seg, docs, acc)
	}
	for _, sub := range sum {
		if err := sub.add(s.x, seg, docs, acc); err != nil {
			return err
		}
	}
	return nil
}

// constScorer gives every match of node the same score.
type constScorer struct {
	node  Node
	value float32
}

func (c constScorer) constant() (float32, bool) { return c.value, true }

func (c constScorer) add(x *Exec, s *segment.Segment, docs *roaring.Bitmap, acc []float64) error {
	if c.value == 0 {
		return nil
	}
	m, err := x.match(c.node, s)
	if err != nil {
		return err
	}
	v := float64(c.value)
	// The smaller of the two bounds the walk; slots outside docs do not matter.
	if m.GetCardinality() > docs.GetCardinality() {
		m = roaring.And(m, docs)
	}
	each(m, func(doc uint32) { acc[doc] += v })
	return nil
}

// sumScorer sums clauses in double precision, then rounds.
type sumScorer []scorer

func (c sumScorer) constant() (float32, bool) { return 0, false }

func (c sumScorer) add(x *Exec, s *segment.Segment, docs *roaring.Bitmap, acc []float64) error {
	if len(c) == 1 {
		return c[0].add(x, s, docs, acc)
	}
	sum := x.scratch(s)
	defer x.release(sum)
	for _, sub := range c {
		if err := sub.add(x, s, docs, sum); err != nil {
			return err
		}
	}
	for i, v := range sum {
		acc[i] += float64(float32(v))
	}
	return nil
}

// reqOptScorer adds the optional clauses' sum to the required ones' in single
// precision, as Lucene's ReqOptSumScorer does.
type reqOptScorer struct{ req, opt scorer }

func (c reqOptScorer) constant() (float32, bool) { return 0, false }

func (c reqOptScorer) add(x *Exec, s *segment.Segment, docs *roaring.Bitmap, acc []float64) error {
	req, opt := x.scratch(s), x.scratch(s)
	defer x.release(req)
	defer x.release(opt)
	if err := c.req.add(x, s, docs, req); err != nil {
		return err
	}
	if err := c.opt.add(x, s, docs, opt); err != nil {
		return err
	}
	for i, v := range req {
		acc[i] += float64(float32(v) + float32(opt[i]))
	}
	return nil
}

// optional makes the scorer of a clause safe for documents that may not match it. All
// but a bool's look at their matches only, anyway.
func optional(n Node, s scorer) scorer {
	for {
		b, ok := n.(*boosted)
		if !ok {
			break
		}
		n = b.inner
	}
	if _, ok := n.(*boolean); !ok {
		return s
	}
	if _, ok := s.(constScorer); ok {
		return s
	}
	return maskedScorer{n, s}
}

// maskedScorer scores the matches of a node only.
type maskedScorer struct {
	node Node
	scorer
}

func (c maskedScorer) add(x *Exec, s *segment.Segment, docs *roaring.Bitmap, acc []float64) error {
	m, err := x.match(c.node, s)
	if err != nil {
		return err
	}
	if m = roaring.And(m, docs); m.IsEmpty() {
		return nil
	}
	one := x.scratch(s)
	defer x.release(one)
	if err := c.scorer.add(x, s, m, one); err != nil {
		return err
	}
	each(m, func(doc uint32) { acc[doc] += one[doc] })
	return nil
}

// zeroScorer is the scorer of what matches without scoring.
type zeroScorer struct{}

func (zeroScorer) constant() (float32, bool) { return 0, true }
func (zeroScorer) add(*Exec, *segment.Segment, *roaring.Bitmap, []float64) error {
	return nil
}

// each calls f for every document of a bitmap, ascending.
func each(b *roaring.Bitmap, f func(doc uint32)) {
	var buf [512]uint32
	it := b.ManyIterator()
	for n := it.NextMany(buf[:]); n > 0; n = it.NextMany(buf[:]) {
		for _, doc := range buf[:n] {
			f(doc)
		}
	}
}
