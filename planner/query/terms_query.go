package query

import (
	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

func parseTerms(c *Context, q *gen.QueryContainer) (Node, error) {
	t := q.Terms
	limit := orDefault(c.MaxTerms, defaultMaxTerms)
	if t.Field.Value.TermsLookup != nil {
		return nil, eserr.Refused("a lookup of the terms of another document is not supported")
	}
	values := t.Field.Value.List
	if len(values) > limit {
		return nil, eserr.IllegalArgument("The number of terms [%d] used in the Terms Query request has exceeded the allowed maximum of [%d]. This maximum can be set by changing the [index.max_terms_count] index level setting.", len(values), limit)
	}
	n, err := c.termsQuery(t.Field.Key, values)
	if err != nil {
		return nil, err
	}
	return c.finish(n, t.Boost, t.Name)
}

// termsQuery is any of several exact values of a field; it never scores.
func (c *Context) termsQuery(name string, values []jsonx.Value) (Node, error) {
	texts := func() []string {
		list := make([]string, len(values))
		for i, v := range values {
			list[i] = textOf(v)
		}
		return list
	}
	if n, ok, err := c.metaTerm(name, texts(), false, false); ok || err != nil {
		return n, err
	}
	f := c.field(name)
	if f == nil || len(values) == 0 {
		return matchNone{}, nil
	}
	if f.Type == "keyword" || f.Type == "text" {
		if err := searchable(f); err != nil {
			return nil, err
		}
		list := texts()
		for i := range list {
			list[i] = f.Normalize(list[i])
		}
		return newTerms(c.column(f), list), nil
	}
	if n, ok, err := c.wholeTerms(f, values); ok || err != nil {
		return n, err
	}
	nodes := make([]Node, 0, len(values))
	for _, v := range values {
		n, err := c.termOf(f, v)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return Filter(newBoolean(nil, nil, nodes, nil, 1)), nil
}

// wholeTerms gathers the values of a whole-number field into one node.
func (c *Context) wholeTerms(f *mapping.Field, values []jsonx.Value) (Node, bool, error) {
	if f.Kind != mapping.KindLong {
		return nil, false, nil
	}
	switch f.Type {
	case "boolean", "date", "date_nanos":
		return nil, false, nil
	}
	if err := searchable(f); err != nil {
		return nil, true, err
	}
	list := make([]int64, 0, len(values))
	for _, v := range values {
		n, err := readNumber(v)
		if err != nil {
			return nil, true, err
		}
		if n.hasDecimalPart() {
			continue
		}
		i, err := wholeOf(f, n)
		if err != nil {
			return nil, true, err
		}
		list = append(list, i)
	}
	return newLongs(f.Name, list...), true, nil
}
