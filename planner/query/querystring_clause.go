package query

import (
	"strconv"
	"strings"

	"postern/internal/eserr"
)

// clause parses [field:] and what is asked of it, with its boost. Bare words that
// follow one another are one text, unless the first had a sign; joined tells of such.
func (p *qParser) clause(fields []weighedField, name string, joinWords bool) (n Node, joined bool, err error) {
	if field, ok := p.fieldName(); ok {
		if field == "*" && strings.HasPrefix(p.text[p.at:], "*") {
			p.at++
			n, err = p.boosted(matchAll{})
			return n, false, err
		}
		if fields, err = p.expand(field); err != nil {
			return nil, false, err
		}
		name, joinWords = field, false
		p.space()
		if p.at == len(p.text) {
			return nil, false, p.unexpected()
		}
	}
	switch p.text[p.at] {
	case '(':
		p.at++
		if n, err = p.clauses(fields, name, true); err != nil {
			return nil, false, err
		}
		if p.at == len(p.text) {
			return nil, false, p.unexpected()
		}
		p.at++
	case '"':
		n, err = p.quoted(fields, name)
	case '[', '{':
		n, err = p.span(fields)
	case '/':
		n, err = p.expression(fields)
	case ')', ']', '}', '^', ':', '~':
		return nil, false, p.unexpected()
	default:
		n, joined, err = p.bareWords(fields, name, joinWords)
	}
	if err != nil {
		return nil, false, err
	}
	if strings.HasPrefix(p.text[p.at:], "^") {
		joined = false
	}
	n, err = p.boosted(n)
	return n, joined, err
}

func (p *qParser) boosted(n Node) (Node, error) {
	if !p.sign("^") {
		return n, nil
	}
	f, err := strconv.ParseFloat(p.number(), 32)
	if err != nil {
		return nil, p.lexical()
	}
	if n == nil {
		return nil, nil
	}
	return boost(n, float32(f)), nil
}

// number reads digits and a point.
func (p *qParser) number() string {
	start := p.at
	for p.at < len(p.text) && strings.IndexByte("0123456789.", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.text[start:p.at]
}

func (p *qParser) expand(name string) ([]weighedField, error) {
	if strings.Contains(name, "*") {
		fields, _, err := p.c.weighFields([]string{name})
		return fields, err
	}
	return []weighedField{{name: name, boost: 1}}, nil
}

// bareWords is a bare word, with those that follow it if they are one text.
func (p *qParser) bareWords(fields []weighedField, name string, joinWords bool) (n Node, joined bool, err error) {
	text, wild := p.term()
	if text == "" {
		return nil, false, p.unexpected()
	}
	switch {
	case strings.HasPrefix(p.text[p.at:], "~"):
		n, err = p.fuzzyWord(fields, text)
		return n, false, err
	case name == "_exists_":
		n, err = p.c.existsQuery(text)
		return n, false, err
	case wild:
		n, err = p.wildWord(fields, name, text)
		return n, false, err
	case name != "" && len(text) > 1 && (text[0] == '>' || text[0] == '<'):
		n, err = p.comparison(fields, text)
		return n, false, err
	}
	for joinWords {
		next, ok := p.nextWord()
		if !ok {
			break
		}
		text, joined = text+" "+next, true
	}
	n, err = p.words(fields, text)
	return n, joined, err
}

// nextWord reads one more word of a text, unless what follows is no plain word, or one
// that belongs to an operator.
func (p *qParser) nextWord() (string, bool) {
	start := p.at
	p.space()
	if p.at == start || p.at == len(p.text) || strings.IndexByte("+-!()[]{}\"/&|", p.text[p.at]) >= 0 {
		p.at = start
		return "", false
	}
	next, wild := p.term()
	if next == "" || wild || next == "AND" || next == "OR" || next == "NOT" ||
		p.at < len(p.text) && strings.IndexByte(":^~", p.text[p.at]) >= 0 || p.followedByOperator() {
		p.at = start
		return "", false
	}
	return next, true
}

// followedByOperator tells whether AND or && comes next, to which the word before it
// belongs alone.
func (p *qParser) followedByOperator() bool {
	at := p.at
	defer func() { p.at = at }()
	p.space()
	return p.word("AND") || p.word("OR") || p.sign("&&") || p.sign("||")
}

// fuzzyWord is a word with ~ and perhaps the number of edits.
func (p *qParser) fuzzyWord(fields []weighedField, text string) (Node, error) {
	p.at++
	f := p.fuzzy.fuzziness
	if edits := p.number(); edits != "" {
		var err *eserr.Error
		if f, err = fuzzinessOf(edits); err != nil {
			return nil, err
		}
	}
	return p.similar(fields, text, f)
}

func (p *qParser) wildWord(fields []weighedField, name, text string) (Node, error) {
	if text == "*" {
		switch name {
		case "":
			return p.wildcard(fields, text)
		case "*":
			return matchAll{}, nil
		}
		return p.c.existsQuery(name)
	}
	if !p.q.Leading && (text[0] == '*' || text[0] == '?') {
		return nil, &syntaxError{"'*' or '?' not allowed as first character in WildcardQuery"}
	}
	if stem := text[:len(text)-1]; text[len(stem)] == '*' && !strings.ContainsAny(stem, `*?\`) {
		return p.prefix(fields, stem)
	}
	return p.wildcard(fields, text)
}

func (p *qParser) quoted(fields []weighedField, name string) (Node, error) {
	text, err := p.quotedText()
	if err != nil {
		return nil, err
	}
	slop := p.slop
	if p.sign("~") {
		if n := p.number(); n != "" {
			f, err := strconv.ParseFloat(n, 32)
			if err != nil {
				return nil, p.unexpected()
			}
			slop = int(f)
		}
	}
	if name == "_exists_" {
		return p.c.existsQuery(text)
	}
	return p.phrase(fields, text, slop)
}

// expression is a regular expression between slashes.
func (p *qParser) expression(fields []weighedField) (Node, error) {
	start := p.at + 1
	for p.at = start; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			if p.at+1 < len(p.text) && p.text[p.at+1] == '/' {
				p.at++
			}
		case '/':
			text := strings.ReplaceAll(p.text[start:p.at], `\/`, `/`)
			p.at++
			return p.regexp(fields, text, p.q.States)
		}
	}
	return nil, p.lexical()
}

// span parses [a TO b], {a TO b} and the mixed forms.
func (p *qParser) span(fields []weighedField) (Node, error) {
	s := rangeSpec{incLo: p.text[p.at] == '[', zone: p.q.Zone}
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
	return p.between(fields, lo, hi, s)
}

// comparison reads >a, >=a, <a and <=a.
func (p *qParser) comparison(fields []weighedField, text string) (Node, error) {
	s := rangeSpec{incLo: true, incHi: true, zone: p.q.Zone}
	end, inclusive := text[1:], false
	if len(end) > 1 && end[0] == '=' {
		end, inclusive = end[1:], true
	}
	if text[0] == '<' {
		s.incHi = inclusive
		return p.between(fields, "*", end, s)
	}
	s.incLo = inclusive
	return p.between(fields, end, "*", s)
}

func (p *qParser) between(fields []weighedField, lo, hi string, s rangeSpec) (Node, error) {
	return p.each(fields, func(name string) (Node, error) {
		r := s
		r.lo, r.hi = endValue(p.normal(name, lo)), endValue(p.normal(name, hi))
		return p.c.rangeQuery(name, r)
	})
}
