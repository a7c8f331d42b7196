package query

import (
	"strings"

	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

func parseExists(c *Context, q *gen.QueryContainer) (Node, error) {
	n, err := c.existsQuery(q.Exists.Field)
	if err != nil {
		return nil, err
	}
	return c.finish(n, q.Exists.Boost, q.Exists.Name)
}

// existsQuery is satisfied by any leaf that a name, a pattern or an object stands for.
func (c *Context) existsQuery(name string) (Node, error) {
	if n, ok, err := c.metaExists(name); ok || err != nil {
		return n, err
	}
	if f := c.field(name); f != nil {
		return existsOf(f), nil
	}
	patterns := []string{name + ".*"}
	if strings.Contains(name, "*") {
		patterns = []string{name}
		if c.Mapping.HasNested(name) {
			return nil, eserr.UnsupportedOperation("Cannot run exists() query against the nested field path")
		}
	}
	var leaves []Node
	for _, p := range patterns {
		for _, f := range c.Mapping.Match(p) {
			leaves = append(leaves, existsOf(f))
		}
	}
	return Filter(newDisMax(leaves, 0)), nil
}

// existsOf is the node of one leaf; what a field keeps nowhere but in _source exists in no
// document.
func existsOf(f *mapping.Field) Node {
	if !f.Index && !f.DocValues && !f.Store {
		return matchNone{}
	}
	return &exists{f.Name}
}
