package query

import (
	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

func parseCombinedFields(c *Context, q *gen.QueryContainer) (Node, error) {
	m := q.CombinedFields
	s := matchSpec{
		clause: "combined_fields", text: m.Query, all: m.Operator == gen.CombinedFieldsOperatorAnd,
		need: m.MinimumShouldMatch, zeroTerms: m.ZeroTermsQuery == gen.CombinedFieldsZeroTermsAll,
	}
	if len(m.Fields) == 0 {
		return nil, eserr.IllegalArgument("In [combined_fields] query, at least one field must be provided")
	}
	fields, _, err := c.weighFields(m.Fields)
	if err != nil {
		return nil, err
	}
	var group fieldGroup
	for _, wf := range fields {
		f := c.field(wf.name)
		if f == nil {
			continue
		}
		if f.Type != "text" {
			return nil, eserr.IllegalArgument("Field [%s] of type [%s] does not support [combined_fields] queries", f.Name, f.Type)
		}
		if wf.boost < 1 {
			return nil, eserr.IllegalArgument("[combined_fields] requires field boosts to be >= 1.0")
		}
		group.fields, group.boosts = append(group.fields, f), append(group.boosts, wf.boost)
	}
	if len(group.fields) == 0 {
		return c.finish(matchNone{}, m.Boost, m.Name)
	}
	n, err := c.combinedFields(&group, s)
	if err != nil {
		return nil, err
	}
	return c.finish(n, m.Boost, m.Name)
}

func (c *Context) combinedFields(g *fieldGroup, s matchSpec) (Node, error) {
	analyzer, ok := sameAnalyzer(g.fields)
	if !ok {
		return nil, eserr.IllegalArgument("All fields in [combined_fields] query must have the same search analyzer")
	}
	words, _ := c.wordsFor(g.fields[0], analyzer, s)
	if len(words) == 0 {
		return s.empty(), nil
	}
	nodes := make([]Node, len(words))
	for i, at := range words {
		nodes[i] = &combinedTerm{columns: c.columns(g.fields), weights: g.boosts, values: at.words}
	}
	return combineWords(nodes, s)
}

func (c *Context) columns(fields []*mapping.Field) []column {
	list := make([]column, len(fields))
	for i, f := range fields {
		list[i] = c.column(f)
	}
	return list
}
