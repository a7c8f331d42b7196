package query

import (
	"encoding/base64"

	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// parseWrapper reads a query that was sent as base64.
func parseWrapper(c *Context, q *gen.QueryContainer) (Node, error) {
	text, err := base64.StdEncoding.DecodeString(q.Wrapper.Query)
	if err != nil {
		return nil, &RequestError{eserr.IllegalArgument("[wrapper] query is no base64: %v", err)}
	}
	v, err := jsonx.Parse(text)
	if err != nil {
		return nil, &RequestError{asError(eserr.FromSyntax(err))}
	}
	inner, err := gen.DecodeQueryContainer(v)
	if err != nil {
		return nil, err
	}
	n, err := Parse(c, inner)
	if err != nil {
		return nil, err
	}
	return c.finish(n, q.Wrapper.Boost, q.Wrapper.Name)
}
