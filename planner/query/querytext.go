package query

import (
	"strings"

	gen "postern/generated/query"
	"postern/internal/analysis"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// textParts puts the parts of a query text to fields, each to all of them; the best
// field counts. The parsers of query strings share it.
type textParts struct {
	c               *Context
	clause          string
	fields          []weighedField // those of parts that name none
	as              gen.TextQueryType
	tieBreaker      *float64
	lenient         bool
	all             bool // operator and
	analyzer, quote *string
	quoteSuffix     string
	slop            int
	fuzzy           fuzzySpec
	rewrite         string
	analyzeWildcard bool
}

// words asks for a text of one or more words.
func (p *textParts) words(fields []weighedField, text string) (Node, error) {
	s := matchSpec{clause: p.clause, text: textValue(text), lenient: p.lenient, all: p.all, analyzer: p.analyzer,
		slop: p.slop, optional: true, fuzzy: fuzzySpec{maxExpansions: 50}}
	return p.c.anyField(fields, s, p.as, p.tieBreaker)
}

// phrase asks for a quoted text.
func (p *textParts) phrase(fields []weighedField, text string, slop int) (Node, error) {
	s := matchSpec{clause: p.clause, text: textValue(text), lenient: p.lenient, analyzer: p.analyzer, slop: slop, optional: true, fuzzy: fuzzySpec{maxExpansions: 50}}
	if p.quote != nil {
		s.analyzer = p.quote
	}
	if p.quoteSuffix != "" {
		fields = p.suffixed(fields)
	}
	return p.c.anyField(fields, s, gen.TextQueryTypePhrase, p.tieBreaker)
}

// suffixed are the fields with the suffix of quoted texts, where there are such.
func (p *textParts) suffixed(fields []weighedField) []weighedField {
	out := make([]weighedField, len(fields))
	for i, f := range fields {
		if p.c.field(f.name+p.quoteSuffix) != nil {
			f.name += p.quoteSuffix
		}
		out[i] = f
	}
	return out
}

// each asks every field on its own.
func (p *textParts) each(fields []weighedField, ask func(name string) (Node, error)) (Node, error) {
	var nodes []Node
	for _, wf := range fields {
		n, err := ask(wf.name)
		if e, ok := eserr.As(err); ok && p.lenient && e.Status == 400 {
			continue
		}
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, boost(n, wf.boost))
	}
	return newDisMax(nodes, p.tie()), nil
}

func (p *textParts) tie() float32 {
	switch {
	case p.tieBreaker != nil:
		return float32(*p.tieBreaker)
	case p.as == gen.TextQueryTypeMostFields, p.as == gen.TextQueryTypeBoolPrefix:
		return 1
	}
	return 0
}

func (p *textParts) wildcard(fields []weighedField, text string) (Node, error) {
	return p.each(fields, func(name string) (Node, error) {
		if text == "*" {
			return p.c.existsQuery(name)
		}
		return p.c.wildcardQuery(name, p.normal(name, text), false, p.rewrite)
	})
}

func (p *textParts) prefix(fields []weighedField, text string) (Node, error) {
	return p.each(fields, func(name string) (Node, error) {
		if f := p.c.field(name); p.analyzeWildcard && f != nil && f.Kind == mapping.KindText {
			return p.analyzedPrefix(f, text)
		}
		return p.c.prefixQuery(name, p.normal(name, text), false, p.rewrite)
	})
}

// analyzedPrefix takes the last term of a text for a prefix.
func (p *textParts) analyzedPrefix(f *mapping.Field, text string) (Node, error) {
	analyzer, err := p.c.analyzerNamed(matchSpec{clause: p.clause, analyzer: p.analyzer})
	if err != nil {
		return nil, err
	}
	words, _ := p.c.wordsFor(f, analyzer, matchSpec{text: textValue(text)})
	if len(words) == 0 {
		return p.c.prefixQuery(f.Name, text, false, p.rewrite)
	}
	return p.c.wordsOf(f, words, matchSpec{kind: matchBoolPrefix, all: p.all})
}

func (p *textParts) regexp(fields []weighedField, text string, states int) (Node, error) {
	return p.each(fields, func(name string) (Node, error) {
		return p.c.regexpQuery(name, text, allOfRegexp, states, p.rewrite)
	})
}

func (p *textParts) similar(fields []weighedField, text string, f fuzziness) (Node, error) {
	return p.each(fields, func(name string) (Node, error) {
		s := p.fuzzy
		s.on, s.fuzziness = true, f
		return p.c.fuzzyQuery(name, p.normal(name, text), s)
	})
}

// normal is a text that is not analyzed, in the case that the field's terms have.
func (p *textParts) normal(name, text string) string {
	f := p.c.field(name)
	if f == nil || f.Kind != mapping.KindText {
		return text
	}
	a := f.SearchAnalyzer
	if p.analyzer != nil {
		if given, ok := p.c.Mapping.Analyzer(*p.analyzer); ok {
			a = given
		}
	}
	if lowercases(a) {
		return analysis.Lowercase(text)
	}
	return text
}

// lowercases tells whether an analyzer makes terms of small letters.
func lowercases(a *analysis.Analyzer) bool {
	tokens := a.Tokens(nil, "ZQ")
	return len(tokens) > 0 && strings.HasPrefix(tokens[0].Term, "z")
}

// endValue is a bound as a value; * leaves the end open.
func endValue(s string) jsonx.Value {
	if s == "*" {
		return jsonx.Value{}
	}
	return textValue(s)
}

// textValue is a string as it would stand in a body.
func textValue(s string) jsonx.Value {
	return jsonx.MustParse(string(jsonx.AppendString(nil, s)))
}
