package aggs

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/planner/query"
)

// singleBucket is an aggregation of one bucket: filter, missing, global and nested differ
// in the documents that they put into it.
type singleBucket struct {
	pick func(x *collector, s *selection) (*selection, error)
}

type singleResult struct {
	n *node
	a *singleBucket
	*bucket
}

func (a *singleBucket) empty(n *node) result { return &singleResult{n, a, newBucket(n.subs)} }

func (r *singleResult) collect(x *collector, s *selection) error {
	picked, err := r.a.pick(x, s)
	if err != nil || picked == nil {
		return err
	}
	return r.bucket.collect(x, picked)
}

func (r *singleResult) merge(other result)   { r.bucket.merge(other.(*singleResult).bucket) }
func (r *singleResult) appendBody(w *writer) { w.bucket(r.n, r.bucket) }
func (r *singleResult) prefix() string       { return r.n.typ }

// matching is the part of a selection that a query matches.
func (x *collector) matching(n query.Node, s *selection) (*roaring.Bitmap, error) {
	p := segment.Part{Segment: s.seg}
	if s.seg == x.root.Segment {
		p.Live = x.root.Live
	}
	return query.Match(x.exec, n, p)
}

func parseFilter(c *source) (aggregator, error) {
	n, err := query.Parse(c.Context, c.a.Filter)
	if err != nil {
		return nil, err
	}
	n = query.Filter(n)
	return &singleBucket{func(x *collector, s *selection) (*selection, error) {
		docs, err := x.matching(n, s)
		if err != nil {
			return nil, err
		}
		return s.and(docs), nil
	}}, nil
}

func parseMissing(c *source) (aggregator, error) {
	a := c.a.Missing
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, unmapped: mapping.KindKeyword, points: true})
	if err != nil {
		return nil, err
	}
	return &singleBucket{func(_ *collector, s *selection) (*selection, error) {
		if v.hasMissing() {
			return nil, nil
		}
		return v.without(s), nil
	}}, nil
}

func parseGlobal(*source) (aggregator, error) {
	return &singleBucket{func(x *collector, _ *selection) (*selection, error) {
		docs, err := query.Match(x.exec, x.exec.Base(), x.root)
		return &selection{seg: x.root.Segment, bits: docs}, err
	}}, nil
}

// parseNested goes to the nested documents of a path; the sub-aggregations are about
// them.
func parseNested(c *source) (aggregator, error) {
	path := *c.a.Nested.Path
	if !c.IsNested(path) {
		if _, err := c.subs(); err != nil {
			return nil, err
		}
		return &singleBucket{func(*collector, *selection) (*selection, error) { return nil, nil }}, nil
	}
	steps := c.Steps(path)
	_, err := c.In(path, func() (query.Node, error) {
		_, err := c.subs()
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	return &singleBucket{func(_ *collector, s *selection) (*selection, error) {
		for _, step := range steps {
			children := s.seg.Children(step)
			if children == nil {
				return nil, nil
			}
			s = &selection{seg: children.Segment, list: childrenOf(s.docs(), children.Parent)}
		}
		return s, nil
	}}, nil
}

// childrenOf lists the children of parents; both lists ascend.
func childrenOf(parents, parentOf []uint32) []uint32 {
	out := make([]uint32, 0, len(parents))
	i := 0
	for child, p := range parentOf {
		for i < len(parents) && parents[i] < p {
			i++
		}
		if i == len(parents) {
			break
		}
		if parents[i] == p {
			out = append(out, uint32(child))
		}
	}
	return out
}
