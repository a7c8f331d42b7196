package query

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"

	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/termregexp"
)

func parseRegexp(c *Context, q *gen.QueryContainer) (Node, error) {
	r := &q.Regexp.Value
	syntax := termregexp.All
	if r.Flags != nil {
		var err error
		if syntax, err = regexpSyntax(*r.Flags); err != nil {
			return nil, err
		}
	}
	if r.FlagsValue != nil {
		syntax = termregexp.Syntax(*r.FlagsValue) & termregexp.All
	}
	if isTrue(r.CaseInsensitive) {
		syntax |= termregexp.FoldCase
	}
	states, rewrite := termregexp.DefaultStates, ""
	if r.MaxDeterminizedStates != nil {
		states = *r.MaxDeterminizedStates
	}
	if r.Rewrite != nil {
		rewrite = *r.Rewrite
	}
	n, err := c.regexpQuery(q.Regexp.Key, r.Value, syntax, states, rewrite)
	if err != nil {
		return nil, err
	}
	return c.finish(n, r.Boost, r.Name)
}

// regexpSyntax reads the names of the optional operators.
func regexpSyntax(flags string) (termregexp.Syntax, error) {
	if flags == "" {
		return termregexp.All, nil
	}
	var s termregexp.Syntax
	for name := range strings.SplitSeq(flags, "|") {
		switch strings.ToUpper(name) {
		case "", "NONE":
		case "ALL":
			return termregexp.All, nil
		case "INTERSECTION":
			s |= termregexp.Intersection
		case "COMPLEMENT":
			s |= termregexp.Complement
		case "EMPTY":
			s |= termregexp.Empty
		case "ANYSTRING":
			s |= termregexp.AnyString
		case "INTERVAL":
			s |= termregexp.Interval
		default:
			return 0, &RequestError{eserr.IllegalArgument("Unknown regexp flag [%s]", name)}
		}
	}
	return s, nil
}

// regexpQuery asks a field for the terms that an expression matches as a whole.
func (c *Context) regexpQuery(name, text string, syntax termregexp.Syntax, states int, rewrite string) (Node, error) {
	limit := orDefault(c.MaxRegexp, defaultMaxRegexp)
	if n := len(utf16.Encode([]rune(text))); n > limit {
		return nil, eserr.IllegalArgument("The length of regex [%d] used in the Regexp Query request has exceeded the allowed maximum of [%d]. This maximum can be set by changing the [index.max_regex_length] index level setting.", n, limit)
	}
	f := c.field(name)
	if f == nil {
		switch typ := metaType(name); typ {
		case "":
			return matchNone{}, nil
		case "_routing", "_ignored":
			return c.regexpOn(column{field: name}, text, syntax, states, rewrite)
		default:
			return nil, c.fail("Can only use regexp queries on keyword and text fields - not on [%s] which is of type [%s]", name, typ)
		}
	}
	if f.Type != "keyword" && f.Type != "text" {
		return nil, c.fail("Can only use regexp queries on keyword and text fields - not on [%s] which is of type [%s]", f.Name, f.Type)
	}
	if err := searchable(f); err != nil {
		return nil, err
	}
	return c.regexpOn(c.column(f), f.Normalize(text), syntax, states, rewrite)
}

func (c *Context) regexpOn(col column, text string, syntax termregexp.Syntax, states int, rewrite string) (Node, error) {
	a, err := compileRegexp(text, syntax, states)
	if err != nil {
		return nil, err
	}
	return c.rewritten(col, &regexpTerms{text, syntax, a}, rewrite, expansion{})
}

func compileRegexp(text string, syntax termregexp.Syntax, states int) (*termregexp.Automaton, error) {
	r, err := termregexp.ParseSyntax(text, syntax)
	if err != nil {
		return nil, eserr.IllegalArgument("%s", err)
	}
	if states <= 0 { // what needs no determinization is taken whatever the limit
		states = termregexp.DefaultStates
	}
	a, err := r.CompileWithin(states)
	if errors.Is(err, termregexp.ErrTooComplex) {
		return nil, &eserr.Error{Status: 400, Type: "too_complex_to_determinize_exception",
			Reason: "Determinizing " + text + " would require more than " + strconv.Itoa(states) + " effort."}
	}
	return a, err
}

// regexpTerms finds the terms that an expression matches.
type regexpTerms struct {
	text      string
	syntax    termregexp.Syntax
	automaton *termregexp.Automaton
}

func (r *regexpTerms) appendKey(dst []byte) []byte {
	dst = appendQuoted(append(dst, "regexp:"...), r.text)
	return strconv.AppendUint(append(dst, '/'), uint64(r.syntax), 10)
}

func (r *regexpTerms) find(x *Exec, d dict, f func(uint32, float32)) error {
	return scan(x, d, "", func(o uint32, term string) uint32 {
		dead, ok := r.automaton.MatchString(term)
		switch {
		case ok:
			f(o, 1)
		case dead >= 0:
			return after(d, o, term, dead)
		}
		return o + 1
	})
}
