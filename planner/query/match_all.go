package query

import gen "postern/generated/query"

func parseMatchAll(c *Context, q *gen.QueryContainer) (Node, error) {
	return c.finish(matchAll{}, q.MatchAll.Boost, q.MatchAll.Name)
}

func parseMatchNone(c *Context, q *gen.QueryContainer) (Node, error) {
	return c.finish(matchNone{}, q.MatchNone.Boost, q.MatchNone.Name)
}
