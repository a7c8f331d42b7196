package aggs

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	gen "postern/generated/aggs"
	genquery "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/planner/query"
)

// adjacencyMatrix is the matches of filters, and of each two of them.
type adjacencyMatrix struct {
	nodes []query.Node
	cells []adjacencyCell
}

// adjacencyCell is the matches of one filter, or of two.
type adjacencyCell struct {
	key  string
	a, b int
}

type adjacencyResult struct {
	*adjacencyMatrix
	answered
	n       *node
	buckets []*bucket
}

func parseAdjacencyMatrix(c *source) (aggregator, error) {
	r := c.a.AdjacencyMatrix
	separator := "&"
	if r.Separator != nil {
		separator = *r.Separator
	}
	most := c.MaxClauses
	if most == 0 {
		most = 65536
	}
	if n := len(r.Filters); n > most {
		return nil, eserr.IllegalArgument("Number of filters is too large, must be less than or equal to: [%d] but was [%d]. This limit can be set by changing the [indices.query.bool.max_clause_count] setting.", most, n)
	}
	filters := slices.Clone(r.Filters)
	slices.SortFunc(filters, func(a, b jsonx.Pair[genquery.QueryContainer]) int { return cmp.Compare(a.Key, b.Key) })
	out := &adjacencyMatrix{}
	for i := range filters {
		n, err := query.Parse(c.Context, &filters[i].Value)
		if err != nil {
			return nil, err
		}
		out.nodes = append(out.nodes, query.Filter(n))
		out.cells = append(out.cells, adjacencyCell{filters[i].Key, i, i})
		for j := i + 1; j < len(filters); j++ {
			out.cells = append(out.cells, adjacencyCell{filters[i].Key + separator + filters[j].Key, i, j})
		}
	}
	slices.SortStableFunc(out.cells, func(a, b adjacencyCell) int { return cmp.Compare(a.key, b.key) })
	return out, nil
}

// checkAdjacency finds what is wrong with a request whatever the index.
func checkAdjacency(name string, a *gen.AdjacencyMatrixAggregation) error {
	if len(a.Filters) == 0 {
		return &eserr.Error{Status: 500, Type: "illegal_state_exception", Reason: "[" + name + "] is missing : filters parameter"}
	}
	return nil
}

func (a *adjacencyMatrix) empty(n *node) result {
	r := &adjacencyResult{adjacencyMatrix: a, n: n}
	for range a.cells {
		r.buckets = append(r.buckets, newBucket(n.subs))
	}
	return r
}

func (r *adjacencyResult) collect(x *collector, s *selection) error {
	matches := make([]*roaring.Bitmap, len(r.nodes))
	for i, n := range r.nodes {
		m, err := x.matching(n, s)
		if err != nil {
			return err
		}
		matches[i] = m
	}
	for i, c := range r.cells {
		some := s.and(matches[c.a])
		if c.a != c.b {
			some = some.and(matches[c.b])
		}
		if err := r.buckets[i].collect(x, some); err != nil {
			return err
		}
	}
	return nil
}

func (r *adjacencyResult) merge(other result) {
	for i, b := range other.(*adjacencyResult).buckets {
		r.buckets[i].merge(b)
	}
}

// reduce leaves out what no document matches.
func (r *adjacencyResult) reduce() {
	if !r.begin() {
		return
	}
	for i, b := range r.buckets {
		if b.count > 0 {
			r.answered.buckets = append(r.answered.buckets, answerBucket{long: int64(i), bucket: b})
		}
	}
}

func (r *adjacencyResult) keyText(b *answerBucket) string { return r.cells[b.long].key }

func (r *adjacencyResult) appendBody(w *writer) {
	r.reduce()
	list := r.answered.buckets
	w.bucketList(len(list), nil, func(i int) {
		w.string("key", r.keyText(&list[i]))
		w.bucket(r.n, list[i].bucket)
	})
}

func (r *adjacencyResult) prefix() string { return "adjacency_matrix" }
