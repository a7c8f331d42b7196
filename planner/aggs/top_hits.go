package aggs

import (
	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/segment"
	"postern/planner/query"
)

// HitsPlanner resolves what top_hits shows. Sorting and reading documents is the work of
// the layer above, which implements it.
type HitsPlanner interface {
	TopHits(c *query.Context, name string, a *gen.TopHitsAggregation) (HitsPlan, error)
	// Scores gives the scores of documents, with a slot for each one of their segment;
	// those of nested documents are their whole document's.
	Scores(x *query.Exec, at Place, docs []uint32) ([]float32, error)
	// Sources visits the sources of documents, those of nested ones being their whole
	// document's.
	Sources(at Place, docs []uint32, visit func(source []byte) error) error
}

// HitsPlan is one top_hits, resolved for an index.
type HitsPlan interface {
	// Hits makes an empty page.
	Hits() Hits
}

// Hits is the best documents of one bucket.
type Hits interface {
	// Collect adds documents, ascending, that lie in a place.
	Collect(x *query.Exec, at Place, docs []uint32) error
	// Merge adds what the same request collected elsewhere.
	Merge(other Hits)
	// AppendJSON appends the hits object.
	AppendJSON(dst []byte) ([]byte, error)
}

// Place is where collected documents lie.
type Place struct {
	Root    segment.Part
	Segment *segment.Segment
	// Levels lead from nested documents up to the root; none for whole documents.
	Levels []Level
	// Unscored documents are not those of the query.
	Unscored bool
}

// Level is the nested documents of a path.
type Level struct {
	Path   string
	Parent []uint32
}

type topHits struct{ plan HitsPlan }

type topHitsResult struct{ hits Hits }

func parseTopHits(c *source) (aggregator, error) {
	if c.hits == nil {
		return nil, eserr.Refused("[top_hits] aggregation is not supported here")
	}
	plan, err := c.hits.TopHits(c.Context, c.name, c.a.TopHits)
	if err != nil {
		return nil, err
	}
	return &topHits{plan}, nil
}

func (a *topHits) empty(*node) result { return &topHitsResult{a.plan.Hits()} }

// place tells where the documents of a selection lie.
func (x *collector) place(s *segment.Segment) Place {
	p := Place{Root: x.root, Segment: s, Unscored: x.global}
	for s != x.root.Segment {
		up := x.above[s]
		p.Levels = append(p.Levels, Level{up.path, up.parent})
		s = up.seg
	}
	return p
}

func (r *topHitsResult) collect(x *collector, s *selection) error {
	return r.hits.Collect(x.exec, x.place(s.seg), s.docs())
}

func (r *topHitsResult) merge(other result) { r.hits.Merge(other.(*topHitsResult).hits) }

func (r *topHitsResult) appendBody(w *writer) {
	w.name("hits")
	b, err := r.hits.AppendJSON(w.b)
	w.b = b
	if err != nil && w.err == nil {
		w.err = err
	}
}

func (r *topHitsResult) prefix() string { return "top_hits" }
