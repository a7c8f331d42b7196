package query

import (
	"strings"

	"postern/internal/analysis"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

// crossFields takes fields of one analyzer for one field: each term may stand in any of
// them.
func (c *Context) crossFields(fields []weighedField, s matchSpec, tie float32) (Node, error) {
	analyzer, err := c.analyzerNamed(s)
	if err != nil {
		return nil, err
	}
	var nodes []Node
	for _, g := range c.groupFields(fields, analyzer) {
		n, err := c.crossGroup(g, analyzer, s, tie)
		if err != nil {
			return nil, err
		}
		if n != nil {
			nodes = append(nodes, n)
		}
	}
	if len(nodes) == 0 && s.optional && len(fields) > 0 {
		return nil, nil
	}
	return newDisMax(nodes, tie), nil
}

// fieldGroup are fields that make the same terms of a text.
type fieldGroup struct {
	analyzer *analysis.Analyzer
	fields   []*mapping.Field
	boosts   []float32
}

// groupFields groups the mapped fields by their analyzer, or puts them together if one
// is given.
func (c *Context) groupFields(fields []weighedField, given *analysis.Analyzer) []*fieldGroup {
	var groups []*fieldGroup
	byName := make(map[string]*fieldGroup)
	for _, wf := range fields {
		f := c.field(wf.name)
		if f == nil {
			continue
		}
		analyzer, name := given, ""
		if analyzer == nil && f.Kind == mapping.KindText {
			analyzer = f.SearchAnalyzer
			name = analyzer.Name()
		}
		g, ok := byName[name]
		if !ok {
			g = &fieldGroup{analyzer: analyzer}
			byName[name] = g
			groups = append(groups, g)
		}
		g.fields, g.boosts = append(g.fields, f), append(g.boosts, wf.boost)
	}
	return groups
}

func (c *Context) crossGroup(g *fieldGroup, analyzer *analysis.Analyzer, s matchSpec, tie float32) (Node, error) {
	if len(g.fields) == 1 {
		n, err := c.matchQuery(g.fields[0].Name, s)
		if n == nil || err != nil {
			return nil, err
		}
		return boost(n, g.boosts[0]), nil
	}
	words, whole := c.wordsFor(g.fields[0], g.analyzer, s)
	if whole {
		words = []wordsAt{{words: []string{s.text.Text()}}}
	}
	if len(words) == 0 {
		return s.empty(), nil
	}
	nodes := make([]Node, len(words))
	for i, at := range words {
		n, err := c.crossWord(g, at.words, s, tie)
		if err != nil {
			return nil, err
		}
		nodes[i] = n
	}
	return combineWords(nodes, s)
}

// crossWord is one position of the text in any of the fields.
func (c *Context) crossWord(g *fieldGroup, words []string, s matchSpec, tie float32) (Node, error) {
	blend := &crossTerms{tieBreaker: tie}
	var others []Node
	for i, f := range g.fields {
		for _, w := range words {
			n, err := c.termQuery(f.Name, textValue(w), false)
			if e, ok := eserr.As(err); ok && s.lenient && e.Status == 400 {
				continue
			}
			if err != nil {
				return nil, err
			}
			if t, ok := n.(*term); ok {
				blend.terms, blend.boosts = append(blend.terms, t), append(blend.boosts, g.boosts[i])
				continue
			}
			others = append(others, boost(n, g.boosts[i]))
		}
	}
	if len(blend.terms) > 0 {
		others = append(others, blend)
	}
	return newDisMax(others, 1), nil
}

// sameAnalyzer is the analyzer that fields have in common; ok is false if they differ.
func sameAnalyzer(fields []*mapping.Field) (a *analysis.Analyzer, ok bool) {
	for _, f := range fields {
		if a != nil && !strings.EqualFold(a.Name(), f.SearchAnalyzer.Name()) {
			return nil, false
		}
		a = f.SearchAnalyzer
	}
	return a, true
}
