package query

import gen "postern/generated/query"

func parseConstantScore(c *Context, q *gen.QueryContainer) (Node, error) {
	inner, err := Parse(c, q.ConstantScore.Filter)
	if err != nil {
		return nil, err
	}
	return c.finish(Filter(inner), q.ConstantScore.Boost, q.ConstantScore.Name)
}
