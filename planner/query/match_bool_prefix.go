package query

import gen "postern/generated/query"

func parseMatchBoolPrefix(c *Context, q *gen.QueryContainer) (Node, error) {
	m := &q.MatchBoolPrefix.Value
	fuzzy, err := fuzzyOf(m.Fuzziness, m.PrefixLength, m.MaxExpansions, m.FuzzyTranspositions, m.FuzzyRewrite)
	if err != nil {
		return nil, err
	}
	if err := checkExpansions("match_bool_prefix", fuzzy); err != nil {
		return nil, err
	}
	n, err := c.matchQuery(q.MatchBoolPrefix.Key, matchSpec{
		clause: "match_bool_prefix", kind: matchBoolPrefix, text: m.Query, analyzer: m.Analyzer,
		all: m.Operator == gen.OperatorAnd, need: m.MinimumShouldMatch, fuzzy: fuzzy,
	})
	if err != nil {
		return nil, err
	}
	return c.finish(n, m.Boost, m.Name)
}
