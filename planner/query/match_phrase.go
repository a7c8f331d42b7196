package query

import gen "postern/generated/query"

func parseMatchPhrase(c *Context, q *gen.QueryContainer) (Node, error) {
	m := &q.MatchPhrase.Value
	slop := 0
	if m.Slop != nil {
		slop = *m.Slop
	}
	if slop < 0 {
		return nil, negativeSlop()
	}
	n, err := c.matchQuery(q.MatchPhrase.Key, matchSpec{
		clause: "match_phrase", text: m.Query, analyzer: m.Analyzer, kind: matchPhrase, slop: slop,
		zeroTerms: m.ZeroTermsQuery == gen.ZeroTermsQueryAll,
	})
	if err != nil {
		return nil, err
	}
	return c.finish(n, m.Boost, m.Name)
}
