package query

import (
	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// fuzzySpec is how the terms of a clause may differ from those in the index.
type fuzzySpec struct {
	on            bool
	fuzziness     fuzziness
	prefix        int // characters that must be the same
	maxExpansions int
	exact         bool // no transpositions
	rewrite       string
}

func parseFuzzy(c *Context, q *gen.QueryContainer) (Node, error) {
	f := &q.Fuzzy.Value
	spec, err := fuzzyOf(f.Fuzziness, f.PrefixLength, f.MaxExpansions, f.Transpositions, f.Rewrite)
	if err != nil {
		return nil, err
	}
	if !spec.on {
		spec.fuzziness = autoFuzziness()
	}
	n, err := c.fuzzyQuery(q.Fuzzy.Key, f.Value.Text(), spec)
	if err != nil {
		return nil, err
	}
	return c.finish(n, f.Boost, f.Name)
}

// fuzzyOf reads the members that say how fuzzy a clause is.
func fuzzyOf(value jsonx.Value, prefix, expansions *int, transpositions *bool, rewrite *string) (fuzzySpec, error) {
	s := fuzzySpec{maxExpansions: 50, exact: transpositions != nil && !*transpositions}
	if prefix != nil {
		s.prefix = *prefix
	}
	if expansions != nil {
		s.maxExpansions = *expansions
	}
	if rewrite != nil {
		s.rewrite = *rewrite
	}
	if !value.Exists() {
		return s, nil
	}
	s.on = true
	f, err := parseFuzziness(value)
	if err != nil {
		return s, &RequestError{err}
	}
	s.fuzziness = f
	return s, nil
}

// fuzzyQuery asks a field for the terms that are like a text.
func (c *Context) fuzzyQuery(name, text string, s fuzzySpec) (Node, error) {
	f := c.field(name)
	if f == nil {
		if typ := metaType(name); typ != "" {
			return nil, notFuzzy(name, typ)
		}
		return matchNone{}, nil
	}
	return c.fuzzyTerm(f, f.Normalize(text), s)
}

func notFuzzy(name, typ string) *eserr.Error {
	return eserr.IllegalArgument("Can only use fuzzy queries on keyword and text fields - not on [%s] which is of type [%s]", name, typ)
}

// fuzzyTerm asks a field for the terms that are like a term of it.
func (c *Context) fuzzyTerm(f *mapping.Field, text string, s fuzzySpec) (Node, error) {
	if f.Type != "keyword" && f.Type != "text" {
		return nil, notFuzzy(f.Name, f.Type)
	}
	if err := searchable(f); err != nil {
		return nil, err
	}
	switch {
	case s.maxExpansions <= 0:
		return nil, eserr.IllegalArgument("maxExpansions must be positive.")
	case s.prefix < 0:
		return nil, eserr.IllegalArgument("prefixLength cannot be negative.")
	}
	terms := &fuzzy{text: text, edits: s.fuzziness.of(text), prefix: s.prefix, transposed: !s.exact}
	return c.rewritten(c.column(f), terms, s.rewrite, expansion{method: rewriteBlended, size: s.maxExpansions})
}
