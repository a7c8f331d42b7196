package query

import (
	"strings"

	gen "postern/generated/query"
	"postern/internal/eserr"
)

func parseWildcard(c *Context, q *gen.QueryContainer) (Node, error) {
	w := &q.Wildcard.Value
	if w.Value == nil {
		return nil, eserr.IllegalArgument("value cannot be null")
	}
	rewrite := ""
	if w.Rewrite != nil {
		rewrite = *w.Rewrite
	}
	fold := w.CaseInsensitive != nil && *w.CaseInsensitive
	n, err := c.wildcardQuery(q.Wildcard.Key, *w.Value, fold, rewrite)
	if err != nil {
		return nil, err
	}
	return c.finish(n, w.Boost, w.Name)
}

func (c *Context) wildcardQuery(name, source string, fold bool, rewrite string) (Node, error) {
	g := compileGlob(source, fold)
	if n, ok, err := c.metaPattern(name, g, "wildcard"); ok || err != nil {
		return n, err
	}
	f := c.field(name)
	if f == nil {
		return matchNone{}, nil
	}
	if err := c.stringField(f, "wildcard"); err != nil {
		return nil, err
	}
	if f.Lowercase {
		g = compileGlob(f.Normalize(source), fold)
	}
	col := c.column(f)
	n, err := c.rewritten(col, g, rewrite, expansion{})
	if _, unscored := n.(*pattern); unscored && !fold {
		if lit, ok := g.literal(); ok {
			return newTerms(col, []string{lit}), nil
		}
	}
	return n, err
}

// escapeGlob takes the meaning off the wildcards in a text.
func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`).Replace(s)
}

func literalOps(s string) []globOp {
	if s == "" {
		return nil
	}
	return []globOp{{lit: s}}
}
