package query

import (
	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

func parseTerm(c *Context, q *gen.QueryContainer) (Node, error) {
	t := &q.Term.Value
	fold := t.CaseInsensitive != nil && *t.CaseInsensitive
	n, err := c.termQuery(q.Term.Key, t.Value, fold)
	if err != nil {
		return nil, err
	}
	return c.finish(n, t.Boost, t.Name)
}

// termQuery is an exact value of any field, mapped or not.
func (c *Context) termQuery(name string, v jsonx.Value, fold bool) (Node, error) {
	if n, ok, err := c.metaTerm(name, []string{textOf(v)}, fold, true); ok || err != nil {
		return n, err
	}
	f := c.field(name)
	if f == nil {
		return matchNone{}, nil
	}
	if fold {
		return c.foldedTerm(f, textOf(v))
	}
	n, err := c.termOf(f, v)
	if err != nil {
		return nil, err
	}
	return n, nil
}

// foldedTerm matches a term in whatever case its ASCII letters are.
func (c *Context) foldedTerm(f *mapping.Field, text string) (Node, error) {
	if f.Kind != mapping.KindKeyword && f.Kind != mapping.KindText || f.Type == "binary" || f.Type == "ip" {
		return nil, c.fail("[%s] field which is of type [%s], does not support case insensitive term queries", f.Name, f.Type)
	}
	if err := searchable(f); err != nil {
		return nil, err
	}
	text = f.Normalize(text)
	return &pattern{c.column(f), glob{source: escapeGlob(text), fold: true, ops: literalOps(text)}}, nil
}

// stringField checks that a field takes queries of a kind that look into its terms.
func (c *Context) stringField(f *mapping.Field, kind string) *eserr.Error {
	if f.Type != "keyword" && f.Type != "text" {
		return c.fail("Can only use %s queries on keyword, text and wildcard fields - not on [%s] which is of type [%s]", kind, f.Name, f.Type)
	}
	return searchable(f)
}
