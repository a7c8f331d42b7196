package query

import gen "postern/generated/query"

func parseDisMax(c *Context, q *gen.QueryContainer) (Node, error) {
	nodes, err := parseAll(c, q.DisMax.Queries)
	if err != nil {
		return nil, err
	}
	var tie float32
	if t := q.DisMax.TieBreaker; t != nil {
		tie = float32(*t)
	}
	return c.finish(newDisMax(nodes, tie), q.DisMax.Boost, q.DisMax.Name)
}
