package query

import gen "postern/generated/query"

func parseIDs(c *Context, q *gen.QueryContainer) (Node, error) {
	return c.finish(newIDs(q.IDs.Values), q.IDs.Boost, q.IDs.Name)
}
