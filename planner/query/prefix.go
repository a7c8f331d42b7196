package query

import gen "postern/generated/query"

func parsePrefix(c *Context, q *gen.QueryContainer) (Node, error) {
	p := &q.Prefix.Value
	fold := p.CaseInsensitive != nil && *p.CaseInsensitive
	n, err := c.prefixQuery(q.Prefix.Key, p.Value, fold, p.Rewrite)
	if err != nil {
		return nil, err
	}
	return c.finish(n, p.Boost, p.Name)
}

func (c *Context) prefixQuery(name, prefix string, fold bool, rewrite string) (Node, error) {
	if n, ok, err := c.metaPattern(name, compileGlob(escapeGlob(prefix)+"*", fold), "prefix"); ok || err != nil {
		return n, err
	}
	f := c.field(name)
	if f == nil {
		return matchNone{}, nil
	}
	if err := c.stringField(f, "prefix"); err != nil {
		return nil, err
	}
	prefix = f.Normalize(prefix)
	n, err := c.rewritten(c.column(f), compileGlob(escapeGlob(prefix)+"*", fold), rewrite, expansion{})
	if _, unscored := n.(*pattern); unscored && !fold {
		return prefixRange(c.column(f), prefix), nil
	}
	return n, err
}
