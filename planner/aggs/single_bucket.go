package aggs

import (
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/planner/query"
)

// singleBucket is an aggregation of one bucket: filter, missing, global and nested differ
// in the documents that they put into it.
type singleBucket struct {
	pick func(x *collector, s *selection) (*selection, error)
	// What pick looks at: a query, a field's values, or nested paths. With none of them it
	// may look at anything.
	filter  query.Node
	missing *values
	path    []string
	// global says that the documents are not those of the query.
	global bool
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
	if r.a.global {
		x.global = true
		defer func() { x.global = false }()
	}
	return r.bucket.collect(x, picked)
}

func (r *singleResult) holds() *bucket       { return r.bucket }
func (r *singleResult) merge(other result)   { r.bucket.merge(other.(*singleResult).bucket) }
func (r *singleResult) appendBody(w *writer) { w.bucket(r.n, r.bucket) }
func (r *singleResult) prefix() string       { return r.n.typ }

// holder is a result that is one bucket.
type holder interface{ holds() *bucket }

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
	return &singleBucket{filter: n, pick: func(x *collector, s *selection) (*selection, error) {
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
	return &singleBucket{missing: v, pick: func(_ *collector, s *selection) (*selection, error) {
		if v.hasMissing() {
			return nil, nil
		}
		return v.without(s), nil
	}}, nil
}

func parseGlobal(*source) (aggregator, error) {
	return &singleBucket{global: true, pick: func(x *collector, _ *selection) (*selection, error) {
		docs, err := query.Match(x.exec, x.exec.Base(), x.root)
		return &selection{seg: x.root.Segment, bits: docs}, err
	}}, nil
}

// parseNested goes to the nested documents of a path; the sub-aggregations are about
// them.
func parseNested(c *source) (aggregator, error) {
	path := *c.a.Nested.Path
	if !c.IsNested(path) {
		return nowhere(c)
	}
	steps := c.Steps(path)
	_, err := c.In(path, func() (query.Node, error) {
		_, err := c.subs()
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	return &singleBucket{path: steps, pick: func(x *collector, s *selection) (*selection, error) {
		for _, step := range steps {
			children := s.seg.Children(step)
			if children == nil {
				return nil, nil
			}
			x.descend(s.seg, children, step)
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

// parseReverseNested goes back from nested documents to those that hold them: of the
// path named, or the whole ones.
func parseReverseNested(c *source) (aggregator, error) {
	if c.Scope() == "" {
		return nil, eserr.IllegalArgument("Reverse nested aggregation [%s] can only be used inside a [nested] aggregation", c.name)
	}
	path := ""
	if c.a.ReverseNested.Path != nil {
		path = *c.a.ReverseNested.Path
	}
	from := c.Scope()
	if path != "" && !c.IsNested(path) {
		return nowhere(c)
	}
	_, err := c.In(path, func() (query.Node, error) {
		_, err := c.subs()
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	if path == from || strings.HasPrefix(path, from+".") {
		return &singleBucket{pick: func(_ *collector, s *selection) (*selection, error) { return s, nil }}, nil
	}
	return &singleBucket{pick: func(x *collector, s *selection) (*selection, error) {
		for s.seg != x.root.Segment && x.path(s.seg) != path {
			up := x.above[s.seg]
			s = &selection{seg: up.seg, list: parentsOf(s.docs(), up.parent)}
		}
		return s, nil
	}}, nil
}

func parentsOf(docs, parentOf []uint32) []uint32 {
	out := make([]uint32, 0, len(docs))
	for _, d := range docs {
		if p := parentOf[d]; len(out) == 0 || out[len(out)-1] != p {
			out = append(out, p)
		}
	}
	return out
}

// nowhere is the single bucket of a path that the index does not have: it stays empty.
func nowhere(c *source) (aggregator, error) {
	if _, err := c.subs(); err != nil {
		return nil, err
	}
	return &singleBucket{pick: func(*collector, *selection) (*selection, error) { return nil, nil }}, nil
}
