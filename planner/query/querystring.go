package query

import (
	"errors"
	"strconv"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// QueryString is the q parameter of a search with the parameters that belong to it.
type QueryString struct {
	Text     string
	Field    string // df: asked where the text names no field; "" for the index's default
	And      bool   // default_operator=and
	Analyzer string
	Lenient  *bool
}

// ParseQueryString parses Lucene's query syntax: fields, AND OR NOT + - && || !, groups,
// phrases with slop, ranges, wildcards, boosts. Fuzzy terms and regular expressions
// are refused by name.
func ParseQueryString(c *Context, q QueryString) (Node, error) {
	if strings.TrimSpace(q.Text) == "" {
		return matchNone{}, nil
	}
	p := &qParser{c: c, q: q, text: q.Text}
	if err := p.defaults(); err != nil {
		return nil, err
	}
	n, err := p.clauses(p.fields, false)
	if err == nil && p.at < len(p.text) {
		err = p.unexpected()
	}
	if err != nil {
		return nil, p.wrap(err)
	}
	if n == nil {
		return matchNone{}, nil
	}
	return n, nil
}

type qParser struct {
	c       *Context
	q       QueryString
	text    string
	at      int
	fields  []weighedField
	lenient bool
	depth   int
}

func (p *qParser) defaults() error {
	var specs []string
	if p.q.Field != "" {
		specs = []string{p.q.Field}
	}
	fields, all, err := p.c.weighFields(specs)
	if err != nil {
		return p.c.asShardError(err.(*eserr.Error))
	}
	p.fields, p.lenient = fields, all
	if p.q.Lenient != nil {
		p.lenient = *p.q.Lenient
	}
	return nil
}

// syntaxError is where the text stops being a query.
type syntaxError struct{ message string }

func (e *syntaxError) Error() string { return e.message }

func (p *qParser) unexpected() error {
	what := "<EOF>"
	if p.at < len(p.text) {
		what = p.text[p.at : p.at+1]
	}
	return &syntaxError{"Encountered \"" + what + "\" at line 1, column " + strconv.Itoa(p.at) + "."}
}

// wrap gives a failure the shape of Elasticsearch's query_string errors.
func (p *qParser) wrap(err error) error {
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		cause := eserr.ParseError("Cannot parse '%s': %s", p.text, syntax.message).Cause(eserr.ParseError("%s", syntax.message))
		return p.c.fail("Failed to parse query [%s]", p.text).Cause(cause)
	}
	var e *eserr.Error
	if errors.As(err, &e) {
		return p.c.asShardError(e)
	}
	return err
}

// occur is how a clause takes part in its group.
type occur uint8

const (
	should occur = iota
	must
	mustNot
)

type qClause struct {
	node  Node
	occur occur
}

// clauses parses a group up to its end or, if nested, its closing parenthesis.
func (p *qParser) clauses(fields []weighedField, nested bool) (Node, error) {
	if p.depth++; p.depth > defaultMaxDepth*4 {
		return nil, eserr.IllegalArgument("the query is nested too deeply")
	}
	defer func() { p.depth-- }()
	var list []qClause
	for first := true; ; first = false {
		p.space()
		if p.at == len(p.text) || nested && p.text[p.at] == ')' {
			if first {
				return nil, p.unexpected()
			}
			break
		}
		and, or := p.conjunction()
		if first && (and || or) {
			return nil, p.unexpected()
		}
		sign, signed := p.modifier()
		p.space()
		if p.at == len(p.text) {
			return nil, p.unexpected()
		}
		node, err := p.clause(fields, !signed && !and && !or)
		if err != nil {
			return nil, err
		}
		list = p.join(list, node, and, or, sign, signed)
	}
	return combine(list), nil
}

// join adds a clause as Lucene's parser does: AND also makes the clause before it
// required, OR under the default operator AND makes it optional.
func (p *qParser) join(list []qClause, n Node, and, or bool, sign occur, signed bool) []qClause {
	if last := len(list) - 1; last >= 0 && list[last].occur != mustNot {
		switch {
		case and:
			list[last].occur = must
		case or && p.q.And:
			list[last].occur = should
		}
	}
	if n == nil {
		return list
	}
	o := should
	switch {
	case signed:
		o = sign
	case and, p.q.And && !or:
		o = must
	}
	return append(list, qClause{n, o})
}

func combine(list []qClause) Node {
	var groups [3][]Node
	for _, c := range list {
		groups[c.occur] = append(groups[c.occur], c.node)
	}
	if len(list) == 0 {
		return nil
	}
	return newBoolean(groups[must], nil, groups[should], groups[mustNot], 0)
}

func (p *qParser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\n\r", p.text[p.at]) >= 0 {
		p.at++
	}
	// The ideographic space separates, too.
	if strings.HasPrefix(p.text[p.at:], "\u3000") {
		p.at += len("\u3000")
		p.space()
	}
}

// word tells whether an operator word stands here, and passes it.
func (p *qParser) word(w string) bool {
	rest := p.text[p.at:]
	if !strings.HasPrefix(rest, w) {
		return false
	}
	if len(rest) > len(w) && strings.IndexByte(" \t\n\r()", rest[len(w)]) < 0 {
		return false
	}
	p.at += len(w)
	return true
}

func (p *qParser) sign(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *qParser) conjunction() (and, or bool) {
	and = p.word("AND") || p.sign("&&")
	or = !and && (p.word("OR") || p.sign("||"))
	p.space()
	return and, or
}

func (p *qParser) modifier() (occur, bool) {
	switch {
	case p.sign("+"):
		return must, true
	case p.sign("-"), p.sign("!"), p.word("NOT"):
		return mustNot, true
	}
	return should, false
}

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

// fieldName reads "name:" if it stands here.
func (p *qParser) fieldName() (string, bool) {
	start := p.at
	name, _ := p.term()
	if name != "" && p.at < len(p.text) && p.text[p.at] == ':' {
		p.at++
		return name, true
	}
	p.at = start
	return "", false
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

// term reads a bare word; escapes are kept as backslash pairs when wild is true, so
// that they stay literal in a pattern.
func (p *qParser) term() (text string, wild bool) {
	start := p.at
	var plain strings.Builder
scan:
	for p.at < len(p.text) {
		ch := p.text[p.at]
		switch {
		case ch == '\\' && p.at+1 < len(p.text):
			plain.WriteByte(p.text[p.at+1])
			p.at += 2
			continue
		case ch == '*' || ch == '?':
			wild = true
		case strings.IndexByte(" \t\n\r()[]{}\"^~:", ch) >= 0:
			break scan
		case strings.HasPrefix(p.text[p.at:], "\u3000"):
			break scan
		}
		plain.WriteByte(ch)
		p.at++
	}
	if wild {
		return p.text[start:p.at], true
	}
	return plain.String(), false
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
	return p.c.anyField(fields, s, 0)
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
		return p.c.wildcardQuery(f.Name, t, false)
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
	s := matchSpec{text: textValue(text), phrase: true}
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

func (p *qParser) quotedText() (string, error) {
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch ch := p.text[p.at]; {
		case ch == '\\' && p.at+1 < len(p.text):
			p.at++
			b.WriteByte(p.text[p.at])
		case ch == '"':
			p.at++
			return b.String(), nil
		default:
			b.WriteByte(ch)
		}
	}
	return "", p.unexpected()
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

func (p *qParser) end() (string, error) {
	p.space()
	if p.at == len(p.text) {
		return "", p.unexpected()
	}
	if p.text[p.at] == '"' {
		return p.quotedText()
	}
	start := p.at
	for p.at < len(p.text) && strings.IndexByte(" \t\n\r]}", p.text[p.at]) < 0 {
		p.at++
	}
	if p.at == start {
		return "", p.unexpected()
	}
	return strings.ReplaceAll(p.text[start:p.at], `\`, ""), nil
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
