package jsonx

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// MaxDepth is how deep objects and arrays may nest, as in Elasticsearch's parser.
const MaxDepth = 1000

// A Tape holds one parsed body; it can be used again for the next one.
type Tape struct {
	src   []byte
	nodes []node
	open  []uint32
	names map[string]struct{}
}

// A node is one value or one name. The members of an object stand behind it as name and
// value by turns; next is the node behind all of the value's own.
type node struct {
	start, end, next, count uint32
	kind                    Kind
	escaped                 bool
}

// Parse reads one value; nothing but white space and comments may follow it. Errors are
// *SyntaxError. An empty body gives the absent Value. The bytes must stay unchanged
// while the Value is in use.
func Parse(b []byte) (Value, error) { return ParseReuse(&Tape{}, b) }

// ParseReuse is Parse on a tape that is used again: all Values of its former body end.
func ParseReuse(t *Tape, b []byte) (Value, error) {
	t.src, t.nodes, t.open = b, t.nodes[:0], t.open[:0]
	if len(b) > 1<<31 {
		return Value{}, &SyntaxError{Line: 1, Col: 1, Msg: "body of more than 2 GiB"}
	}
	p := parser{t: t, src: b}
	if err := p.run(); err != nil {
		return Value{}, err
	}
	if len(t.nodes) == 0 {
		return Value{}, nil
	}
	return Value{t, 0}, nil
}

// MustParse is Parse for text that is known to be right; it panics otherwise.
func MustParse(s string) Value {
	v, err := Parse([]byte(s))
	if err != nil {
		panic(err)
	}
	return v
}

type parser struct {
	t   *Tape
	src []byte
	at  int
}

func (p *parser) fail(at int, format string, a ...any) error {
	line, col := position(p.src, at)
	return &SyntaxError{Line: line, Col: col, Msg: fmt.Sprintf(format, a...), src: p.src}
}

func (p *parser) eof(format string, a ...any) error {
	line, col := position(p.src, len(p.src))
	return &SyntaxError{Line: line, Col: col, Msg: fmt.Sprintf(format, a...), EOF: true, src: p.src}
}

// unexpected is Jackson's complaint about the byte at p.at, which it has consumed.
func (p *parser) unexpected(expected string) error {
	c, size := utf8.DecodeRune(p.src[p.at:])
	if c == utf8.RuneError && size <= 1 {
		return p.fail(p.at+1, "Invalid UTF-8 start byte 0x%x", p.src[p.at])
	}
	if c < ' ' {
		return p.fail(p.at+1, "Illegal character ((CTRL-CHAR, code %d)): only regular white space (\\r, \\n, \\t) is allowed between tokens", c)
	}
	return p.fail(p.at+size, "Unexpected character ('%c' (code %d%s)): %s", c, c, hexCode(c), expected)
}

// hexCode is how Jackson adds the code point of characters beyond Latin-1.
func hexCode(c rune) string {
	if c < 256 {
		return ""
	}
	return fmt.Sprintf(" / 0x%x", c)
}

const (
	wantValue = "expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
	wantToken = "was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
)

// run parses without recursion, so that depth costs no stack.
func (p *parser) run() error {
	if err := p.space(); err != nil || p.at == len(p.src) {
		return err
	}
	for {
		if err := p.value(); err != nil {
			return err
		}
		done, err := p.separator()
		if err != nil {
			return err
		}
		if done {
			return p.trailing()
		}
	}
}

func (p *parser) trailing() error {
	if err := p.space(); err != nil {
		return err
	}
	if p.at == len(p.src) {
		return nil
	}
	token := tokenName(p.src[p.at])
	line, col := position(p.src, p.at)
	return &SyntaxError{Line: line, Col: col, Msg: "Unexpected token [" + token + "] found after the main object.", Trailing: token, src: p.src}
}

// separator reads what stands behind a value: commas, closing brackets, and the next
// name; done says that the outermost value is complete.
func (p *parser) separator() (done bool, err error) {
	t := p.t
	for len(t.open) > 0 {
		top := t.open[len(t.open)-1]
		container := &t.nodes[top]
		if container.end == 0 { // just opened, or behind a member
			if err := p.space(); err != nil {
				return false, err
			}
			if p.at == len(p.src) {
				return false, p.unclosed(container)
			}
		}
		c := p.src[p.at]
		switch {
		case c == '}' && container.kind == Object, c == ']' && container.kind == Array:
			p.at++
			container.end = uint32(p.at)
			container.next = uint32(len(t.nodes))
			t.open = t.open[:len(t.open)-1]
			continue
		case c == '}' || c == ']':
			want := byte('}')
			what := "Object"
			if container.kind == Array {
				want, what = ']', "Array"
			}
			line, col := position(p.src, int(container.start))
			return false, p.fail(p.at+1, "Unexpected close marker '%c': expected '%c' (for %s starting at %s)", c, want, what, location(p.src, line, col))
		}
		if container.count > 0 {
			if c != ',' {
				what := "Object"
				if container.kind == Array {
					what = "Array"
				}
				return false, p.unexpected("was expecting comma to separate " + what + " entries")
			}
			p.at++
			if err := p.space(); err != nil {
				return false, err
			}
			if p.at == len(p.src) {
				return false, p.unclosed(container)
			}
		}
		container.count++
		if container.kind == Array {
			return false, nil
		}
		return false, p.name(top)
	}
	return true, nil
}

func (p *parser) unclosed(n *node) error {
	what := "Object"
	if n.kind == Array {
		what = "Array"
	}
	line, col := position(p.src, int(n.start))
	return p.eof("Unexpected end-of-input: expected close marker for %s (start marker at %s)", what, location(p.src, line, col))
}

// name reads a member's name and its colon.
func (p *parser) name(object uint32) error {
	if p.src[p.at] != '"' {
		return p.unexpected("was expecting double-quote to start field name")
	}
	if err := p.str("field name"); err != nil {
		return err
	}
	if err := p.duplicate(object); err != nil {
		return err
	}
	if err := p.space(); err != nil {
		return err
	}
	if p.at == len(p.src) {
		return p.eof("Unexpected end-of-input within/between Object entries")
	}
	if p.src[p.at] != ':' {
		return p.unexpected("was expecting a colon to separate field name and value")
	}
	p.at++
	if err := p.space(); err != nil {
		return err
	}
	if p.at == len(p.src) {
		return p.eof("Unexpected end-of-input within/between Object entries")
	}
	return nil
}

// fewNames is up to how many members an object's names are compared one by one.
const fewNames = 12

func (p *parser) duplicate(object uint32) error {
	t := p.t
	last := uint32(len(t.nodes) - 1)
	count := t.nodes[object].count
	if count == 1 {
		return nil
	}
	name := Value{t, last}.Bytes()
	if count <= fewNames {
		for i := object + 1; i < last; i = t.nodes[i+1].next {
			if bytes.Equal(Value{t, i}.Bytes(), name) {
				return p.fail(p.at, "Duplicate field '%s'", name)
			}
		}
		return nil
	}
	// Names of large objects stand in one set, told apart by their object.
	if t.names == nil {
		t.names = map[string]struct{}{}
	}
	prefix := fmt.Appendf(nil, "%d:", object)
	if count == fewNames+1 {
		if object == 0 || len(t.names) > 1<<16 {
			clear(t.names)
		}
		for i := object + 1; i < last; i = t.nodes[i+1].next {
			t.names[string(append(prefix, Value{t, i}.Bytes()...))] = struct{}{}
		}
	}
	key := string(append(prefix, name...))
	if _, known := t.names[key]; known {
		return p.fail(p.at, "Duplicate field '%s'", name)
	}
	t.names[key] = struct{}{}
	return nil
}

// value reads a scalar whole, or a container's opening bracket.
func (p *parser) value() error {
	start := uint32(p.at)
	switch c := p.src[p.at]; {
	case c == '{' || c == '[':
		if len(p.t.open) == MaxDepth {
			return p.fail(p.at+1, "Document nesting depth (%d) exceeds the maximum allowed (%d, from `StreamReadConstraints.getMaxNestingDepth()`)", MaxDepth+1, MaxDepth)
		}
		kind := Object
		if c == '[' {
			kind = Array
		}
		p.at++
		p.t.open = append(p.t.open, uint32(len(p.t.nodes)))
		p.t.nodes = append(p.t.nodes, node{start: start, kind: kind})
		return nil
	case c == '"':
		return p.str("VALUE_STRING")
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return p.literal("true", True)
	case c == 'f':
		return p.literal("false", False)
	case c == 'n':
		return p.literal("null", Null)
	case identifier(c):
		return p.literal("", Invalid)
	}
	return p.unexpected(wantValue)
}

func identifier(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func (p *parser) scalar(start int, kind Kind) {
	t := p.t
	t.nodes = append(t.nodes, node{start: uint32(start), end: uint32(p.at), next: uint32(len(t.nodes) + 1), kind: kind})
}

func (p *parser) literal(want string, kind Kind) error {
	start := p.at
	for p.at < len(p.src) && identifier(p.src[p.at]) {
		p.at++
	}
	got := string(p.src[start:p.at])
	if want != "" && got == want {
		p.scalar(start, kind)
		return nil
	}
	after := min(p.at+1, len(p.src))
	if got == "NaN" || got == "Infinity" {
		return p.fail(p.at, "Non-standard token '%s': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow", got)
	}
	return p.fail(after, "Unrecognized token '%s': %s", got, wantToken)
}

func (p *parser) digits() int {
	n := 0
	for p.at < len(p.src) && p.src[p.at] >= '0' && p.src[p.at] <= '9' {
		p.at++
		n++
	}
	return n
}

func (p *parser) number() error {
	start := p.at
	if p.src[p.at] == '-' {
		p.at++
		if p.at == len(p.src) {
			return p.eof("Unexpected end-of-input in a Number value")
		}
		if c := p.src[p.at]; c < '0' || c > '9' {
			return p.unexpected("expected digit (0-9) to follow minus sign, for valid numeric value")
		}
	}
	first := p.at
	if p.digits() > 1 && p.src[first] == '0' {
		return p.fail(first+1, "Invalid numeric value: Leading zeroes not allowed")
	}
	if p.at < len(p.src) && p.src[p.at] == '.' {
		p.at++
		if p.digits() == 0 {
			if p.at == len(p.src) {
				return p.eof("Unexpected end-of-input in a Number value")
			}
			return p.unexpected("Decimal point not followed by a digit")
		}
	}
	if p.at < len(p.src) && (p.src[p.at] == 'e' || p.src[p.at] == 'E') {
		p.at++
		if p.at < len(p.src) && (p.src[p.at] == '+' || p.src[p.at] == '-') {
			p.at++
		}
		if p.digits() == 0 {
			if p.at == len(p.src) {
				return p.eof("Unexpected end-of-input in a Number value")
			}
			return p.unexpected("Exponent indicator not followed by a digit")
		}
	}
	// Jackson wants a separator behind a number only at the outermost level.
	if p.at < len(p.src) && identifier(p.src[p.at]) {
		what := "Object"
		if n := len(p.t.open); n == 0 {
			return p.unexpected("Expected space separating root-level values")
		} else if p.t.nodes[p.t.open[n-1]].kind == Array {
			what = "Array"
		}
		return p.unexpected("was expecting comma to separate " + what + " entries")
	}
	p.scalar(start, Number)
	return nil
}

// str reads a string from its quote on. Its UTF-8 is checked; escapes of lone
// surrogates are taken, as Jackson takes them.
func (p *parser) str(what string) error {
	start, escaped := p.at, false
	p.at++
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '"':
			p.at++
			p.scalar(start, String)
			p.t.nodes[len(p.t.nodes)-1].escaped = escaped
			return nil
		case c == '\\':
			escaped = true
			if err := p.escape(what); err != nil {
				return err
			}
		case c < ' ':
			return p.fail(p.at+1, "Illegal unquoted character ((CTRL-CHAR, code %d)): has to be escaped using backslash to be included in %s", c, unquotedIn(what))
		case c < utf8.RuneSelf:
			p.at++
		default:
			r, size := utf8.DecodeRune(p.src[p.at:])
			if r == utf8.RuneError && size <= 1 {
				return p.badUTF8()
			}
			p.at += size
		}
	}
	if what == "field name" {
		return p.eof("Unexpected end-of-input in field name")
	}
	return p.eof("Unexpected end-of-input: was expecting closing quote for a string value")
}

func unquotedIn(what string) string {
	if what == "field name" {
		return "name"
	}
	return "string value"
}

func (p *parser) badUTF8() error {
	c := p.src[p.at]
	if c < 0xc2 || c > 0xf4 {
		return p.fail(p.at+1, "Invalid UTF-8 start byte 0x%x", c)
	}
	if p.at+1 < len(p.src) {
		return p.fail(p.at+2, "Invalid UTF-8 middle byte 0x%x", p.src[p.at+1])
	}
	return p.eof("Unexpected end-of-input in VALUE_STRING")
}

func (p *parser) escape(what string) error {
	if p.at+1 >= len(p.src) {
		return p.eof("Unexpected end-of-input in character escape sequence")
	}
	switch c := p.src[p.at+1]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.at += 2
		return nil
	case 'u':
		for i := p.at + 2; i < p.at+6; i++ {
			if i >= len(p.src) {
				return p.eof("Unexpected end-of-input in character escape sequence")
			}
			if _, ok := hexDigit(p.src[i]); !ok {
				p.at = i
				return p.unexpected("expected a hex-digit for character escape sequence")
			}
		}
		p.at += 6
		return nil
	default:
		r, size := utf8.DecodeRune(p.src[p.at+1:])
		return p.fail(p.at+1+size, "Unrecognized character escape '%c' (code %d%s)", r, r, hexCode(r))
	}
}

// space passes white space and comments: /* */, // and #.
func (p *parser) space() error {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case '/':
			if err := p.comment(); err != nil {
				return err
			}
		case 0xEF: // a byte order mark at the very beginning
			if p.at != 0 || !bytes.HasPrefix(p.src, []byte("\xEF\xBB\xBF")) {
				return nil
			}
			p.at = 3
		default:
			return nil
		}
	}
	return nil
}

func (p *parser) comment() error {
	if p.at+1 == len(p.src) {
		return p.eof("Unexpected end-of-input in a comment")
	}
	switch p.src[p.at+1] {
	case '/':
		n := bytes.IndexAny(p.src[p.at:], "\r\n")
		if n < 0 {
			n = len(p.src) - p.at
		}
		p.at += n
		return nil
	case '*':
		n := bytes.Index(p.src[p.at+2:], []byte("*/"))
		if n < 0 {
			return p.eof("Unexpected end-of-input in a comment")
		}
		p.at += n + 4
		return nil
	}
	p.at++
	return p.unexpected("was expecting either '*' or '/' for a comment")
}

// tokenName is Elasticsearch's name of the token that begins with c.
func tokenName(c byte) string {
	token := "VALUE_NUMBER"
	switch c {
	case '{':
		token = "START_OBJECT"
	case '[':
		token = "START_ARRAY"
	case '}':
		token = "END_OBJECT"
	case ']':
		token = "END_ARRAY"
	case '"':
		token = "VALUE_STRING"
	case 't', 'f':
		token = "VALUE_BOOLEAN"
	case 'n':
		token = "VALUE_NULL"
	}
	return token
}
