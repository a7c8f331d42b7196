package query

import (
	"errors"
	"strconv"
	"strings"
	"time"

	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/termregexp"
)

const (
	allOfRegexp = termregexp.All
	// maxQueryDepth bounds how deep groups of a query string lie in one another.
	maxQueryDepth = 120
)

// QueryString is a text in Lucene's query syntax with what says how it is read: a
// query_string clause, or the q parameter of a search with those that belong to it.
type QueryString struct {
	Text     string
	Field    string   // asked where the text names no field; "" for Fields
	Fields   []string // nil for the index's default
	And      bool     // default_operator=and
	Analyzer *string
	Lenient  *bool

	AnalyzeWildcard bool
	Leading         bool // a pattern may begin with a wildcard
	Need            string
	QuoteAnalyzer   *string
	QuoteSuffix     string
	Rewrite         string
	Slop            int
	States          int // max_determinized_states
	TieBreaker      *float64
	Type            gen.TextQueryType
	Zone            *time.Location
	fuzzy           fuzzySpec
}

// NewQueryString is a text with every default.
func NewQueryString(text string) QueryString {
	return QueryString{Text: text, Leading: true, States: termregexp.DefaultStates,
		fuzzy: fuzzySpec{fuzziness: autoFuzziness(), maxExpansions: 50}}
}

// ParseQueryString parses Lucene's query syntax: fields, AND OR NOT + - && || !, groups,
// phrases with slop, ranges, wildcards, fuzzy terms, regular expressions, boosts.
func ParseQueryString(c *Context, q QueryString) (Node, error) {
	if strings.TrimSpace(q.Text) == "" {
		return matchNone{}, nil
	}
	p := &qParser{q: q, text: q.Text, textParts: textParts{c: c, clause: "query_string", as: q.Type, tieBreaker: q.TieBreaker,
		all: q.And, analyzer: q.Analyzer, quote: q.QuoteAnalyzer, quoteSuffix: q.QuoteSuffix, slop: q.Slop, fuzzy: q.fuzzy,
		rewrite: q.Rewrite, analyzeWildcard: q.AnalyzeWildcard}}
	if err := p.defaults(); err != nil {
		return nil, err
	}
	list, err := p.list(p.fields, p.name, false)
	if err == nil && p.at < len(p.text) {
		err = p.unexpected()
	}
	var n Node
	if err == nil {
		n, err = p.enough(list)
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
	textParts
	q     QueryString
	text  string
	at    int
	name  string // of the one default field, "" for several
	depth int
}

func (p *qParser) defaults() error {
	specs := p.q.Fields
	if len(specs) == 0 && p.q.Field == "" && len(p.c.DefaultFields) == 0 {
		p.name = "*"
	}
	if p.q.Field != "" {
		specs, p.name = []string{p.q.Field}, p.q.Field
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

// enough is the whole text's query, of whose optional clauses so many must match as
// minimum_should_match says.
func (p *qParser) enough(list []qClause) (Node, error) {
	if len(list) == 1 && list[0].occur != mustNot {
		return atLeastOf(list[0].node, p.q.Need)
	}
	optional := 0
	for _, c := range list {
		if c.occur == should {
			optional++
		}
	}
	need, err := neededOf(optional, p.q.Need)
	if err != nil {
		return nil, err
	}
	if optional == 0 {
		need = 0
	}
	return combine(list, need), nil
}

// atLeastOf applies a minimum_should_match to a query that is a bool.
func atLeastOf(n Node, spec string) (Node, error) {
	if b, ok := n.(*boosted); ok {
		inner, err := atLeastOf(b.inner, spec)
		return boost(inner, b.boost), err
	}
	b, ok := n.(*boolean)
	if !ok || spec == "" || len(b.should) == 0 {
		return n, nil
	}
	need, err := neededOf(len(b.should), spec)
	if err != nil {
		return nil, err
	}
	return newBoolean(b.must, b.filter, b.should, b.mustNot, need), nil
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

// lexical is the error of a part that does not end.
func (p *qParser) lexical() error {
	return &syntaxError{"Lexical error at line 1, column " + strconv.Itoa(len(p.text)+1) + ".  Encountered: <EOF>"}
}

// wrap gives a failure the shape of Elasticsearch's query_string errors.
func (p *qParser) wrap(err error) error {
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		cause := eserr.ParseError("Cannot parse '%s': %s", p.text, syntax.message).Cause(eserr.ParseError("%s", syntax.message))
		e := p.c.fail("Failed to parse query [%s]", p.text).Cause(cause)
		root := *e
		root.CausedBy = nil
		e.RootCause = []*eserr.Error{&root} // the cause is Lucene's
		return e
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
func (p *qParser) clauses(fields []weighedField, name string, nested bool) (Node, error) {
	list, err := p.list(fields, name, nested)
	if err != nil {
		return nil, err
	}
	if len(list) == 1 && list[0].occur != mustNot {
		return list[0].node, nil
	}
	return combine(list, 0), nil
}

func (p *qParser) list(fields []weighedField, name string, nested bool) ([]qClause, error) {
	if p.depth++; p.depth > maxQueryDepth {
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
			return list, nil
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
		node, joined, err := p.clause(fields, name, !signed && !and && !or)
		if err != nil {
			return nil, err
		}
		if b, ok := node.(*boolean); ok && joined {
			list = p.flatten(list, b)
			continue
		}
		list = p.join(list, node, and, or, sign, signed)
	}
}

// flatten makes the words of one text clauses of their own.
func (p *qParser) flatten(list []qClause, b *boolean) []qClause {
	o := should
	if p.q.And {
		o = must
	}
	for _, nodes := range [][]Node{b.must, b.should} {
		for _, n := range nodes {
			list = append(list, qClause{n, o})
		}
	}
	return list
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

func combine(list []qClause, need int) Node {
	var groups [3][]Node
	for _, c := range list {
		groups[c.occur] = append(groups[c.occur], c.node)
	}
	if len(list) == 0 {
		return nil
	}
	return newBoolean(groups[must], nil, groups[should], groups[mustNot], need)
}
