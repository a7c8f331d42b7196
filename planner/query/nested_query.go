package query

import (
	"strings"

	gen "postern/generated/query"
	"postern/internal/eserr"
)

func parseNested(c *Context, q *gen.QueryContainer) (Node, error) {
	t := q.Nested
	if !c.IsNested(t.Path) {
		if t.IgnoreUnmapped != nil && *t.IgnoreUnmapped {
			return matchNone{}, nil
		}
		return nil, eserr.IllegalState("[nested] failed to find nested object under path [%s]", t.Path)
	}
	steps := c.steps(c.nested, t.Path)
	inner, err := c.In(t.Path, func() (Node, error) { return Parse(c, t.Query) })
	if err != nil {
		return nil, err
	}
	mode := scoreAvg
	switch t.ScoreMode {
	case gen.ChildScoreModeSum:
		mode = scoreSum
	case gen.ChildScoreModeMin:
		mode = scoreMin
	case gen.ChildScoreModeMax:
		mode = scoreMax
	case gen.ChildScoreModeNone:
		mode = scoreNone
	}
	return c.finish(newNested(steps, inner, mode), t.Boost, t.Name)
}

// IsNested tells whether a path is that of nested objects.
func (c *Context) IsNested(path string) bool {
	return path != "" && c.Mapping.Nested(path) == path
}

// parentPath is the path of the object that holds a field or object.
func parentPath(path string) string {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return ""
	}
	return path[:i]
}
