package termregexp

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Regexp is a parsed expression. It is not safe for concurrent use; its Automaton is.
type Regexp struct {
	nodes *builder
	root  *node
}

// Syntax says which of Lucene's optional operators an expression may use; the
// characters of the others stand for themselves.
type Syntax uint8

const (
	Intersection Syntax = 1 << iota // &
	Complement                      // ~
	Empty                           // #
	AnyString                       // @
	Automata                        // <name>, of which there are none
	Interval                        // <low-high>
	// FoldCase lets letters of ASCII match in either case; ranges of characters stay
	// what they are.
	FoldCase

	// All are all operators.
	All = Intersection | Complement | Empty | AnyString | Automata | Interval
)

// Parse reads an expression; all of Lucene's operators are on. The error has Lucene's
// words.
func Parse(text string) (*Regexp, error) { return ParseSyntax(text, All) }

// ParseSyntax reads an expression in which only some operators are on.
func ParseSyntax(text string, syntax Syntax) (*Regexp, error) {
	p := &parser{in: []rune(text), syntax: syntax, b: newBuilder()}
	root := p.b.empty
	if text != "" {
		var err error
		if root, err = p.union(); err != nil {
			return nil, err
		}
		if p.more() {
			return nil, p.fail("end-of-string expected at position %d", p.at())
		}
	}
	return &Regexp{p.b, root}, nil
}

// maxDepth bounds how deep groups lie in one another.
const maxDepth = 1000

type parser struct {
	in     []rune
	pos    int
	depth  int
	syntax Syntax
	b      *builder
}

func (p *parser) on(s Syntax) bool { return p.syntax&s != 0 }

func (p *parser) fail(format string, a ...any) error { return fmt.Errorf(format, a...) }

// at is the position as Java counts it.
func (p *parser) at() int { return len(utf16.Encode(p.in[:p.pos])) }

func (p *parser) more() bool { return p.pos < len(p.in) }

func (p *parser) peek(set string) bool { return p.more() && strings.ContainsRune(set, p.in[p.pos]) }

func (p *parser) match(r rune) bool {
	if p.more() && p.in[p.pos] == r {
		p.pos++
		return true
	}
	return false
}

func (p *parser) next() (rune, error) {
	if !p.more() {
		return 0, p.fail("unexpected end-of-string")
	}
	p.pos++
	return p.in[p.pos-1], nil
}

func (p *parser) union() (*node, error) {
	list, err := p.list(p.intersection, func() bool { return p.match('|') })
	return p.b.union(list...), err
}

func (p *parser) intersection() (*node, error) {
	list, err := p.list(p.concatenation, func() bool { return p.on(Intersection) && p.match('&') })
	return p.b.intersection(list...), err
}

func (p *parser) concatenation() (*node, error) {
	list, err := p.list(p.repetition, func() bool {
		return p.more() && !p.peek(")|") && (!p.on(Intersection) || !p.peek("&"))
	})
	return p.b.concat(list...), err
}

func (p *parser) list(one func() (*node, error), again func() bool) ([]*node, error) {
	var list []*node
	for {
		n, err := one()
		if err != nil {
			return nil, err
		}
		if list = append(list, n); !again() {
			return list, nil
		}
	}
}

func (p *parser) repetition() (*node, error) {
	n, err := p.complement()
	for err == nil {
		switch {
		case p.match('?'):
			n = p.b.repeat(n, 0, 1)
		case p.match('*'):
			n = p.b.repeat(n, 0, unbounded)
		case p.match('+'):
			n = p.b.repeat(n, 1, unbounded)
		case p.match('{'):
			n, err = p.counted(n)
		default:
			return n, nil
		}
	}
	return nil, err
}

func (p *parser) counted(n *node) (*node, error) {
	low, ok := p.integer()
	if !ok {
		return nil, p.fail("integer expected at position %d", p.at())
	}
	high := low
	if p.match(',') {
		if high, ok = p.integer(); !ok {
			high = unbounded
		}
	}
	if !p.match('}') {
		return nil, p.fail("expected '}' at position %d", p.at())
	}
	if low > high {
		return nil, p.fail("invalid repetition range(out of order): %d..%d", low, high)
	}
	return p.b.repeat(n, low, high), nil
}

func (p *parser) integer() (n int, ok bool) {
	from := p.pos
	for p.peek("0123456789") {
		p.pos++
	}
	n, err := strconv.Atoi(string(p.in[from:p.pos]))
	return min(n, unbounded-1), err == nil
}

func (p *parser) complement() (*node, error) {
	if !p.on(Complement) || !p.match('~') {
		return p.class()
	}
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("the expression is nested deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	n, err := p.complement()
	if err != nil {
		return nil, err
	}
	return p.b.complement(n), nil
}

func (p *parser) class() (*node, error) {
	if !p.match('[') {
		return p.simple()
	}
	negate := p.match('^')
	var set runes
	for first := true; first || p.more() && !p.peek("]"); first = false {
		some, err := p.classPart()
		if err != nil {
			return nil, err
		}
		set = append(set, some...)
	}
	set = set.normal()
	if negate {
		set = set.negated()
	}
	if !p.match(']') {
		return nil, p.fail("expected ']' at position %d", p.at())
	}
	return p.b.chars(set), nil
}

func (p *parser) classPart() (runes, error) {
	set, err := p.predefined()
	if set != nil || err != nil {
		return set, err
	}
	from, err := p.char()
	if err != nil || !p.match('-') {
		return p.either(from), err
	}
	to, err := p.char()
	if err != nil {
		return nil, err
	}
	if from > to {
		return nil, p.fail("invalid range: from (%d) cannot be > to (%d)", from, to)
	}
	return runes{{from, to}}, nil
}

// predefined reads \d, \s, \w and what they leave out; of another escape only the
// backslash.
func (p *parser) predefined() (runes, error) {
	if !p.match('\\') {
		return nil, nil
	}
	if !p.more() {
		return nil, nil
	}
	var set runes
	switch r := p.in[p.pos]; r {
	case 'd', 'D':
		set = runes{{'0', '9'}}
	case 's', 'S':
		set = runes{{'\t', '\n'}, {'\r', '\r'}, {' ', ' '}}
	case 'w', 'W':
		set = runes{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	case '\\':
		set = runes{{'\\', '\\'}}
	default:
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return nil, p.fail("invalid character class \\%d", r)
		}
		return nil, nil
	}
	if strings.ContainsRune("DSW", p.in[p.pos]) {
		set = set.negated()
	}
	p.pos++
	return set, nil
}

func (p *parser) char() (rune, error) {
	p.match('\\')
	return p.next()
}

func (p *parser) simple() (*node, error) {
	switch {
	case p.match('.'):
		return p.b.chars(anyRune()), nil
	case p.on(Empty) && p.match('#'):
		return p.b.nothing, nil
	case p.on(AnyString) && p.match('@'):
		return p.b.complement(p.b.nothing), nil
	case p.match('"'):
		text, err := p.until('"')
		if err != nil {
			return nil, err
		}
		list := make([]*node, len(text))
		for i, r := range text {
			list[i] = p.b.chars(p.either(r))
		}
		return p.b.concat(list...), nil
	case p.match('('):
		if p.match(')') {
			return p.b.empty, nil
		}
		if p.depth++; p.depth > maxDepth {
			return nil, p.fail("the expression is nested deeper than %d", maxDepth)
		}
		n, err := p.union()
		if err != nil {
			return nil, err
		}
		p.depth--
		if !p.match(')') {
			return nil, p.fail("expected ')' at position %d", p.at())
		}
		return n, nil
	case p.on(Automata|Interval) && p.match('<'):
		return p.interval()
	}
	set, err := p.predefined()
	if err != nil {
		return nil, err
	}
	if set == nil {
		r, err := p.char()
		if err != nil {
			return nil, err
		}
		set = p.either(r)
	}
	return p.b.chars(set), nil
}

// either is a character, in both cases where they are folded.
func (p *parser) either(r rune) runes {
	const gap = 'a' - 'A'
	switch {
	case !p.on(FoldCase):
	case 'a' <= r && r <= 'z':
		return runes{{r - gap, r - gap}, {r, r}}
	case 'A' <= r && r <= 'Z':
		return runes{{r, r}, {r + gap, r + gap}}
	}
	return runes{{r, r}}
}

func (p *parser) until(end rune) ([]rune, error) {
	from := p.pos
	for p.more() && p.in[p.pos] != end {
		p.pos++
	}
	text := p.in[from:p.pos]
	if !p.match(end) {
		return nil, p.fail("expected '%c' at position %d", end, p.at())
	}
	return text, nil
}

// interval reads <low-high>: decimal numbers, of as many digits as the bounds have when
// both have as many, else with any number of zeros before them.
func (p *parser) interval() (*node, error) {
	text, err := p.until('>')
	if err != nil {
		return nil, err
	}
	low, high, ok := strings.Cut(string(text), "-")
	switch {
	case !ok && !p.on(Automata):
		return nil, p.fail("interval syntax error at position %d", p.at()-1)
	case !ok:
		return nil, p.fail("'%s' not found", string(text))
	case !p.on(Interval):
		return nil, p.fail("illegal identifier at position %d", p.at()-1)
	}
	from, err1 := strconv.ParseInt(low, 10, 32)
	to, err2 := strconv.ParseInt(high, 10, 32)
	if err1 != nil || err2 != nil || from < 0 || to < 0 {
		return nil, p.fail("interval syntax error at position %d", p.at()-1)
	}
	if from > to {
		from, to = to, from
	}
	if len(low) == len(high) {
		return p.b.numbers(pad(from, len(low)), pad(to, len(low))), nil
	}
	low, high = strconv.FormatInt(from, 10), strconv.FormatInt(to, 10)
	var lengths []*node
	for n := len(low); n <= len(high); n++ {
		first, last := low, high
		if n > len(low) {
			first = "1" + strings.Repeat("0", n-1)
		}
		if n < len(high) {
			last = strings.Repeat("9", n)
		}
		lengths = append(lengths, p.b.numbers(first, last))
	}
	zeros := p.b.repeat(p.b.chars(runes{{'0', '0'}}), 0, unbounded)
	return p.b.concat(zeros, p.b.union(lengths...)), nil
}

func pad(n int64, digits int) string { return fmt.Sprintf("%0*d", digits, n) }
