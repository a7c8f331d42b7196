package query

import gen "postern/generated/query"

func parseMatchPhrasePrefix(c *Context, q *gen.QueryContainer) (Node, error) {
	m := &q.MatchPhrasePrefix.Value
	s := matchSpec{
		clause: "match_phrase_prefix", kind: matchPhrasePrefix, text: m.Query, analyzer: m.Analyzer,
		zeroTerms: m.ZeroTermsQuery == gen.ZeroTermsQueryAll, fuzzy: fuzzySpec{maxExpansions: 50},
	}
	if m.Slop != nil {
		if s.slop = *m.Slop; s.slop < 0 {
			return nil, negativeSlop()
		}
	}
	if m.MaxExpansions != nil {
		s.fuzzy.maxExpansions = *m.MaxExpansions
	}
	if s.fuzzy.maxExpansions < 0 {
		return nil, negativeExpansions()
	}
	n, err := c.matchQuery(q.MatchPhrasePrefix.Key, s)
	if err != nil {
		return nil, err
	}
	return c.finish(n, m.Boost, m.Name)
}
