package query

import (
	"errors"
	"strconv"
	"strings"

	"postern/internal/eserr"
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
		return err
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

// maxGroups bounds how deep parentheses lie in one another.
const maxGroups = 120

// clauses parses a group up to its end or, if nested, its closing parenthesis.
func (p *qParser) clauses(fields []weighedField, nested bool) (Node, error) {
	if p.depth++; p.depth > maxGroups {
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
