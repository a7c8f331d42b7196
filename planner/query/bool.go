package query

import (
	gen "postern/generated/query"
	"postern/internal/eserr"
)

func parseBool(c *Context, q *gen.QueryContainer) (Node, error) {
	b := q.Bool
	limit := orDefault(c.MaxClauses, defaultMaxClauses)
	if len(b.Must)+len(b.Filter)+len(b.Should)+len(b.MustNot) > limit {
		return nil, tooManyClauses(limit)
	}
	var groups [4][]Node
	for i, list := range [4][]gen.QueryContainer{b.Must, b.MustNot, b.Should, b.Filter} {
		nodes, err := parseAll(c, list)
		if err != nil {
			return nil, err
		}
		groups[i] = nodes
	}
	must, mustNot, should, filter := groups[0], groups[1], groups[2], groups[3]
	need, err := neededOf(len(should), b.MinimumShouldMatch)
	if err != nil {
		return nil, err
	}
	n := newBoolean(must, filter, should, mustNot, need)
	if b.AdjustPureNegative != nil && !*b.AdjustPureNegative && len(must)+len(filter)+len(should) == 0 && len(mustNot) > 0 {
		n = matchNone{} // Lucene's own meaning of a query that only excludes
	}
	return c.finish(n, b.Boost, b.Name)
}

func tooManyClauses(limit int) *eserr.Error {
	return eserr.TooManyClauses("maxClauseCount is set to %d", limit)
}
