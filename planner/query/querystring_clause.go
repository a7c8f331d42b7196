package query

import (
	"errors"
	"strconv"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// clause parses [field:] and what is asked of it, with its boost. Bare words that
// follow one another are one text, unless the first had a sign.
func (p *qParser) clause(fields []weighedField, joinWords bool) (Node, error) {
	named := ""
	if name, ok := p.fieldName(); ok {
		named = name
		if name == "*" && strings.HasPrefix(p.text[p.at:], "*") {
			p.at++
			return p.boosted(matchAll{})
		}
		var err error
		if fields, err = p.expand(name); err != nil {
			return nil, err
		}
		p.space()
		if p.at == len(p.text) {
			return nil, p.unexpected()
		}
	}
	var (
		n   Node
		err error
	)
	switch p.text[p.at] {
	case '(':
		p.at++
		if n, err = p.clauses(fields, true); err != nil {
			return nil, err
		}
		if p.at == len(p.text) {
			return nil, p.unexpected()
		}
		p.at++
	case '"':
		n, err = p.quoted(fields)
	case '[', '{':
		n, err = p.span(fields)
	case '/':
		return nil, eserr.Refused("regular expressions in a query string are not supported")
	case '>', '<':
		n, err = p.comparison(fields)
	case ')', ']', '}', '^', ':', '~':
		return nil, p.unexpected()
	default:
		n, err = p.words(fields, named, joinWords)
	}
	if err != nil {
		return nil, err
	}
	return p.boosted(n)
}

func (p *qParser) boosted(n Node) (Node, error) {
	if !p.sign("^") {
		return n, nil
	}
	start := p.at
	for p.at < len(p.text) && strings.IndexByte("0123456789.", p.text[p.at]) >= 0 {
		p.at++
	}
	f, err := strconv.ParseFloat(p.text[start:p.at], 32)
	if err != nil {
		return nil, p.unexpected()
	}
	if n == nil {
		return nil, nil
	}
	return boost(n, float32(f)), nil
}

func (p *qParser) expand(name string) ([]weighedField, error) {
	if name == "_exists_" {
		return []weighedField{{name: name, boost: 1}}, nil
	}
	if strings.Contains(name, "*") {
		fields, _, err := p.c.weighFields([]string{name})
		return fields, err
	}
	return []weighedField{{name: name, boost: 1}}, nil
}

func (p *qParser) words(fields []weighedField, named string, joinWords bool) (Node, error) {
	text, wild := p.term()
	if text == "" {
		return nil, p.unexpected()
	}
	if p.sign("~") {
		return nil, eserr.Refused("fuzzy terms in a query string are not supported")
	}
	if named == "_exists_" {
		return p.c.existsQuery(text)
	}
	if wild {
		return p.wildcard(fields, named, text)
	}
	for joinWords && named == "" {
		start := p.at
		p.space()
		if p.at == start || p.at == len(p.text) || strings.IndexByte("+-!()[]{}\"/&|<>", p.text[p.at]) >= 0 {
			p.at = start
			break
		}
		next, w := p.term()
		if next == "" || w || next == "AND" || next == "OR" || next == "NOT" ||
			p.at < len(p.text) && strings.IndexByte(":^~", p.text[p.at]) >= 0 {
			p.at = start
			break
		}
		if p.followedByOperator() {
			p.at = start
			break
		}
		text += " " + next
	}
	return p.match(fields, matchSpec{text: textValue(text), all: p.q.And})
}

// followedByOperator tells whether AND or && comes next, to which the word before it
// belongs alone.
func (p *qParser) followedByOperator() bool {
	at := p.at
	defer func() { p.at = at }()
	p.space()
	return p.word("AND") || p.word("OR") || p.sign("&&") || p.sign("||")
}

func (p *qParser) match(fields []weighedField, s matchSpec) (Node, error) {
	s.clause, s.lenient = "query_string", p.lenient
	if p.q.Analyzer != "" {
		s.analyzer = &p.q.Analyzer
	}
	return p.c.anyField(fields, s, 0, nil)
}

func (p *qParser) wildcard(fields []weighedField, named, text string) (Node, error) {
	if text == "*" {
		if named == "" {
			return matchAll{}, nil
		}
		return p.c.existsQuery(named)
	}
	return p.each(fields, func(f *mapping.Field) (Node, error) {
		t := text
		if f.Kind == mapping.KindText {
			t = strings.ToLower(t)
		}
		return p.c.wildcardQuery(f.Name, t, false, "")
	})
}

// each asks every field on its own; the best of them counts.
func (p *qParser) each(fields []weighedField, ask func(*mapping.Field) (Node, error)) (Node, error) {
	var nodes []Node
	for _, wf := range fields {
		f := p.c.field(wf.name)
		if f == nil {
			continue
		}
		n, err := ask(f)
		var e *eserr.Error
		if p.lenient && errors.As(err, &e) && e.Status == 400 {
			continue
		}
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, boost(n, wf.boost))
	}
	return newDisMax(nodes, 0), nil
}

func (p *qParser) quoted(fields []weighedField) (Node, error) {
	text, err := p.quotedText()
	if err != nil {
		return nil, err
	}
	s := matchSpec{text: textValue(text), kind: matchPhrase}
	if p.sign("~") {
		start := p.at
		for p.at < len(p.text) && strings.IndexByte("0123456789.", p.text[p.at]) >= 0 {
			p.at++
		}
		f, err := strconv.ParseFloat(p.text[start:p.at], 32)
		if err != nil {
			return nil, p.unexpected()
		}
		s.slop = int(f)
	}
	return p.match(fields, s)
}

// span parses [a TO b], {a TO b} and the mixed forms.
func (p *qParser) span(fields []weighedField) (Node, error) {
	s := rangeSpec{incLo: p.text[p.at] == '['}
	p.at++
	lo, err := p.end()
	if err != nil {
		return nil, err
	}
	p.space()
	if !p.word("TO") {
		return nil, p.unexpected()
	}
	hi, err := p.end()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at == len(p.text) || p.text[p.at] != ']' && p.text[p.at] != '}' {
		return nil, p.unexpected()
	}
	s.incHi = p.text[p.at] == ']'
	p.at++
	s.lo, s.hi = endValue(lo), endValue(hi)
	return p.each(fields, func(f *mapping.Field) (Node, error) { return p.c.rangeQuery(f.Name, s) })
}

// comparison parses >a, >=a, <a and <=a.
func (p *qParser) comparison(fields []weighedField) (Node, error) {
	less := p.text[p.at] == '<'
	p.at++
	inclusive := p.sign("=")
	v, err := p.end()
	if err != nil {
		return nil, err
	}
	s := rangeSpec{incLo: true, incHi: true}
	if less {
		s.hi, s.incHi = endValue(v), inclusive
	} else {
		s.lo, s.incLo = endValue(v), inclusive
	}
	return p.each(fields, func(f *mapping.Field) (Node, error) { return p.c.rangeQuery(f.Name, s) })
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
