package query

import (
	"strconv"
	"strings"

	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

func parseSimpleQueryString(c *Context, q *gen.QueryContainer) (Node, error) {
	m := q.SimpleQueryString
	flags, err := simpleFlags(m.Flags)
	if err != nil {
		return nil, err
	}
	fields, all, err := c.weighFields(m.Fields)
	if err != nil {
		return nil, err
	}
	p := &simpleParser{flags: flags, and: m.DefaultOperator == gen.OperatorAnd, textParts: textParts{
		c: c, clause: "simple_query_string", fields: fields, as: gen.TextQueryTypeMostFields, lenient: all, analyzer: m.Analyzer,
		fuzzy: fuzzySpec{maxExpansions: 50, exact: m.FuzzyTranspositions != nil && !*m.FuzzyTranspositions},
		all:   m.DefaultOperator == gen.OperatorAnd,
	}}
	set(&p.lenient, m.Lenient)
	set(&p.quoteSuffix, m.QuoteFieldSuffix)
	set(&p.analyzeWildcard, m.AnalyzeWildcard)
	set(&p.fuzzy.prefix, m.FuzzyPrefixLength)
	set(&p.fuzzy.maxExpansions, m.FuzzyMaxExpansions)
	if m.Query == "*" {
		return c.finish(matchAll{}, m.Boost, m.Name)
	}
	n, err := p.group([]rune(m.Query), 0)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return c.finish(matchNone{}, m.Boost, m.Name)
	}
	if n, err = atLeastOf(n, m.MinimumShouldMatch); err != nil {
		return nil, err
	}
	return c.finish(n, m.Boost, m.Name)
}

// simpleFlag is an operator of the simple query string that may be off.
type simpleFlag int

const (
	simpleAnd simpleFlag = 1 << iota
	simpleNot
	simpleOr
	simplePrefix
	simplePhrase
	simplePrecedence
	simpleEscape
	simpleWhitespace
	simpleFuzzy
	simpleNear
	simpleAll simpleFlag = -1
)

func simpleFlags(v jsonx.Value) (simpleFlag, error) {
	switch {
	case !v.Exists():
		return simpleAll, nil
	case v.Kind() == jsonx.Number:
		n, err := strconv.Atoi(string(v.Bytes()))
		if err != nil || n < 0 {
			return simpleAll, nil
		}
		return simpleFlag(n), nil
	}
	names := map[string]simpleFlag{"ALL": simpleAll, "NONE": 0, "AND": simpleAnd, "NOT": simpleNot, "OR": simpleOr, "PREFIX": simplePrefix,
		"PHRASE": simplePhrase, "PRECEDENCE": simplePrecedence, "ESCAPE": simpleEscape, "WHITESPACE": simpleWhitespace,
		"FUZZY": simpleFuzzy, "NEAR": simpleNear, "SLOP": simpleNear}
	var flags simpleFlag
	if v.Text() == "" {
		return simpleAll, nil
	}
	for name := range strings.SplitSeq(v.Text(), "|") {
		f, ok := names[strings.ToUpper(name)]
		switch {
		case name == "":
		case !ok:
			return 0, &RequestError{eserr.IllegalArgument("Unknown simple_query_string flag [%s]", name)}
		case f == 0:
			return 0, nil
		case f == simpleAll:
			return simpleAll, nil
		}
		flags |= f
	}
	return flags, nil
}

// simpleParser reads a simple query string, in which nothing is an error. It follows
// Lucene's SimpleQueryParser character by character.
type simpleParser struct {
	textParts
	flags simpleFlag
	and   bool
}

// simpleGroup is what of a group has been read: its query so far and the operators at
// hand.
type simpleGroup struct {
	data      []rune
	at        int
	top       []Node
	occur     occur // of top, from two nodes on
	next      occur // the operator before the next node, if given
	given     bool
	negations int
	depth     int
}

func (p *simpleParser) on(f simpleFlag) bool { return p.flags&f != 0 }

func (p *simpleParser) group(data []rune, depth int) (Node, error) {
	g := &simpleGroup{data: data, depth: depth}
	for g.at < len(g.data) {
		ch := g.data[g.at]
		var err error
		switch {
		case ch == '(' && p.on(simplePrecedence):
			err = p.nested(g)
		case ch == ')' && p.on(simplePrecedence):
			g.at++
		case ch == '"' && p.on(simplePhrase):
			err = p.quoted(g)
		case ch == '+' && p.on(simpleAnd):
			g.operator(must)
		case ch == '|' && p.on(simpleOr):
			g.operator(should)
		case ch == '-' && p.on(simpleNot):
			g.negations++ // two of them cancel each other; nothing may come between
			g.at++
			continue
		case isSpace(ch) && p.on(simpleWhitespace):
			g.at++
		default:
			err = p.token(g)
		}
		if err != nil {
			return nil, err
		}
		g.negations = 0
	}
	return g.node(), nil
}

func isSpace(ch rune) bool { return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r' }

func (g *simpleGroup) operator(o occur) {
	if !g.given && len(g.top) > 0 {
		g.next, g.given = o, true
	}
	g.at++
}

func (g *simpleGroup) node() Node {
	switch {
	case len(g.top) == 0:
		return nil
	case len(g.top) == 1:
		return g.top[0]
	case g.occur == must:
		return newBoolean(g.top, nil, nil, nil, 0)
	}
	return newBoolean(nil, nil, g.top, nil, 1)
}

// add puts a node into the tree: another operator than the last one makes all before it
// one node.
func (p *simpleParser) add(g *simpleGroup, n Node) {
	if n == nil {
		return
	}
	if g.negations%2 == 1 {
		n = newBoolean(nil, nil, []Node{matchAll{}}, []Node{n}, 1)
	}
	o := g.next
	if !g.given {
		o = should
		if p.and {
			o = must
		}
	}
	if len(g.top) > 1 && g.occur != o {
		g.top = []Node{g.node()}
	}
	if len(g.top) > 0 {
		g.occur = o
	}
	g.top, g.given = append(g.top, n), false
}

func (p *simpleParser) nested(g *simpleGroup) error {
	g.at++
	start, open, escaped := g.at, 1, false
	for ; g.at < len(g.data); g.at++ {
		ch := g.data[g.at]
		switch {
		case escaped:
			escaped = false
			continue
		case ch == '\\' && p.on(simpleEscape):
			escaped = true
			continue
		case ch == '(':
			open++
		case ch == ')':
			open--
		}
		if open == 0 {
			break
		}
	}
	switch {
	case g.at == len(g.data):
		g.at = start // never closed: it means nothing
		return nil
	case g.at == start:
		g.given = false
		g.at++
		return nil
	case g.depth > maxQueryDepth:
		return eserr.IllegalArgument("the query is nested too deeply")
	}
	n, err := p.group(g.data[start:g.at], g.depth+1)
	p.add(g, n)
	g.at++
	return err
}

func (p *simpleParser) quoted(g *simpleGroup) error {
	g.at++
	start := g.at
	var text []rune
	for ; g.at < len(g.data) && g.data[g.at] != '"'; g.at++ {
		if g.data[g.at] == '\\' && p.on(simpleEscape) {
			if g.at++; g.at == len(g.data) {
				break
			}
		}
		text = append(text, g.data[g.at])
	}
	switch g.at {
	case len(g.data):
		g.at = start
		return nil
	case start:
		g.given = false
		g.at++
		return nil
	}
	g.at++
	slop := 0
	if g.at < len(g.data) && g.data[g.at] == '~' && p.on(simpleNear) {
		if g.at+1 == len(g.data) {
			g.at++
		} else {
			slop = p.edits(g)
		}
	}
	n, err := p.phrase(p.fields, string(text), slop)
	if err != nil {
		return err
	}
	p.add(g, n)
	return nil
}

// edits reads ~ and the number after it: 2 without one, 0 for what is none.
func (p *simpleParser) edits(g *simpleGroup) int {
	g.at++
	start := g.at
	for g.at < len(g.data) && !p.ends(g.data[g.at]) {
		g.at++
	}
	if g.at == start {
		return 2
	}
	n, err := strconv.ParseInt(string(g.data[start:g.at]), 10, 32)
	if err != nil {
		return 0
	}
	return max(0, int(n))
}

// ends tells whether a word ends before a character.
func (p *simpleParser) ends(ch rune) bool {
	switch ch {
	case '"':
		return p.on(simplePhrase)
	case '|':
		return p.on(simpleOr)
	case '+':
		return p.on(simpleAnd)
	case '(', ')':
		return p.on(simplePrecedence)
	}
	return isSpace(ch) && p.on(simpleWhitespace)
}

func (p *simpleParser) token(g *simpleGroup) error {
	var text []rune
	prefix, similar := false, false
	for ; g.at < len(g.data); g.at++ {
		ch := g.data[g.at]
		if ch == '\\' && p.on(simpleEscape) {
			prefix = false
			if g.at++; g.at == len(g.data) {
				break
			}
			text = append(text, g.data[g.at])
			continue
		}
		if p.ends(ch) {
			break
		}
		if ch == '~' && len(text) > 0 && p.on(simpleFuzzy) {
			similar = true
			break
		}
		prefix = ch == '*' && len(text) > 0 && p.on(simplePrefix)
		text = append(text, ch)
	}
	if len(text) == 0 {
		return nil
	}
	n, err := p.word(g, string(text), prefix, similar)
	if err != nil {
		return err
	}
	p.add(g, n)
	return nil
}

func (p *simpleParser) word(g *simpleGroup, text string, prefix, like bool) (Node, error) {
	all := p.textParts
	one := 1.0
	all.tieBreaker = &one
	switch {
	case like:
		if edits := min(2, p.edits(g)); edits > 0 {
			return all.similar(p.fields, text, fuzziness{edits: float64(edits)})
		}
	case prefix:
		return all.prefix(p.fields, text[:len(text)-1])
	}
	return p.words(p.fields, text)
}
