package jsonx

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// fail is an error noticed when everything before offset at had been read.
func (p *parser) fail(at int, format string, a ...any) *SyntaxError {
	line, col := position(p.src, at)
	return &SyntaxError{Line: line, Col: col, Msg: fmt.Sprintf(format, a...), src: p.src, last: p.lastToken()}
}

// consumed is an error noticed when the size bytes at p.at had been read; a line end
// among them is not counted yet.
func (p *parser) consumed(size int, format string, a ...any) *SyntaxError {
	e := p.fail(p.at, format, a...)
	e.Col += size
	return e
}

func (p *parser) eof(format string, a ...any) *SyntaxError {
	e := p.fail(len(p.src), format, a...)
	e.EOF = true
	return e
}

func (p *parser) limit(format string, a ...any) *SyntaxError {
	e := p.fail(p.at, format, a...)
	e.Limit = true
	return e
}

// inString marks the error of the string value that begins at start: Jackson reads those
// only when somebody asks for them, so Elasticsearch wraps these errors otherwise, and
// the string itself is the last token.
func (p *parser) inString(start int, err error) error {
	e := err.(*SyntaxError)
	e.InString, e.last = true, start
	return e
}

// unexpected is the complaint about the character at p.at.
func (p *parser) unexpected(expected string) error { return p.unexpectedIn("", expected) }

func (p *parser) unexpectedIn(where, expected string) error {
	c, size := utf8.DecodeRune(p.src[p.at:])
	switch {
	case c == utf8.RuneError && size <= 1:
		return p.badUTF8(p.at)
	case c < ' ':
		return p.consumed(1, "Illegal character ((CTRL-CHAR, code %d)): only regular white space (\\r, \\n, \\t) is allowed between tokens", c)
	}
	return p.consumed(size, "Unexpected character (%s)%s: %s", charDesc(c), where, expected)
}

// charDesc shows a character with its code point.
func charDesc(c rune) string {
	if c > 255 {
		return fmt.Sprintf("'%c' (code %d / 0x%x)", c, c, c)
	}
	return fmt.Sprintf("'%c' (code %d)", c, c)
}

// noValue is the complaint about what can't begin a value.
func (p *parser) noValue() error {
	c := p.src[p.at]
	switch {
	case c == '}' || c == ']':
		if n := len(p.t.open); n == 0 {
			want := byte(']')
			if c == ']' {
				want = '}'
			}
			return p.consumed(1, "Unexpected close marker '%c': expected '%c' (for root starting at %s)", c, want, location(p.src, 1, 0))
		} else if c == '}' || p.t.nodes[p.t.open[n-1]].kind == Array {
			return p.unexpected("expected a value")
		}
	case c == ',':
		return p.unexpected("expected a value")
	case c == '+' && p.at+1 == len(p.src):
		return p.eof("Unexpected end-of-input in a Number value")
	case c == '+':
		return p.consumed(2, "Unexpected character ('+' (code 43)) in numeric value: JSON spec does not allow numbers to have plus signs: enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow")
	case unicode.IsLetter(rune(c)) || c == '_' || c == '$':
		return p.unrecognized(p.at)
	}
	return p.unexpected("expected a valid value " + wantToken)
}

// unrecognized is the complaint about a word. Jackson takes its first byte for a
// character of its own.
func (p *parser) unrecognized(start int) error {
	word := []rune{rune(p.src[start])}
	for p.at = start + 1; p.at < len(p.src); {
		c, size := utf8.DecodeRune(p.src[p.at:])
		if c == utf8.RuneError && size <= 1 {
			return p.badUTF8(p.at)
		}
		if c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			break
		}
		word = append(word, c)
		p.at += size
	}
	switch w := string(word); w {
	case "NaN", "Infinity":
		return p.notNumber(w)
	default:
		return p.fail(min(p.at+1, len(p.src)), "Unrecognized token '%s': was expecting %s", w, wantToken)
	}
}

func (p *parser) notNumber(word string) error {
	return p.fail(p.at, "Non-standard token '%s': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow", word)
}

// noDigit is the complaint about a minus sign without a number.
func (p *parser) noDigit(start int) error {
	if p.at == len(p.src) {
		return p.eof("Unexpected end-of-input in %s", p.before())
	}
	const infinity = "-Infinity"
	if rest := p.src[start:]; len(rest) >= len(infinity) && string(rest[:len(infinity)]) == infinity {
		p.at = start + len(infinity)
		return p.notNumber(infinity)
	}
	return p.unexpectedIn(" in numeric value", "expected digit (0-9) to follow minus sign, for valid numeric value")
}

// before names the token that stands before the value being read.
func (p *parser) before() string {
	t := p.t
	if n := len(t.open); n > 0 {
		if top := &t.nodes[t.open[n-1]]; top.kind == Object {
			return "FIELD_NAME"
		} else if top.count == 1 {
			return "START_ARRAY"
		}
	}
	if len(t.nodes) == 0 {
		return "NOT_AVAILABLE"
	}
	switch last := t.nodes[len(t.nodes)-1]; {
	case p.src[last.end-1] == '}':
		return "END_OBJECT"
	case p.src[last.end-1] == ']':
		return "END_ARRAY"
	case last.kind == Number && bytes.ContainsAny(p.src[last.start:last.end], ".eE"):
		return "VALUE_NUMBER_FLOAT"
	case last.kind == Number:
		return "VALUE_NUMBER_INT"
	case last.kind == True:
		return "VALUE_TRUE"
	case last.kind == False:
		return "VALUE_FALSE"
	default:
		return last.kind.token()
	}
}

func (p *parser) unclosed(n *node) error {
	line, col := position(p.src, int(n.start))
	return p.eof("Unexpected end-of-input: expected close marker for %s (start marker at %s)", n.kind.container(), location(p.src, line, col))
}

func (p *parser) wrongClose(c byte, n *node) error {
	line, col := position(p.src, int(n.start))
	want := '}'
	if n.kind == Array {
		want = ']'
	}
	return p.consumed(1, "Unexpected close marker '%c': expected '%c' (for %s starting at %s)", c, want, n.kind.container(), location(p.src, line, col))
}

func (p *parser) controlIn(what string) error {
	return p.consumed(1, "Illegal unquoted character ((CTRL-CHAR, code %d)): has to be escaped using backslash to be included in %s", p.src[p.at], what)
}

func (p *parser) badEscape() error {
	p.at++
	c, size := utf8.DecodeRune(p.src[p.at:])
	return p.consumed(size, "Unrecognized character escape %s", charDesc(c))
}

// badUTF8 is the complaint about the byte sequence at offset i.
func (p *parser) badUTF8(i int) error {
	at, c := max(p.at, i+1), p.src[i]
	if c < 0xc2 || c > 0xf4 || i+1 == len(p.src) {
		return p.fail(at, "Invalid UTF-8 start byte 0x%x", c)
	}
	return p.fail(max(at, i+2), "Invalid UTF-8 middle byte 0x%x", p.src[i+1])
}

// container is the word for a kind of container in Jackson's messages.
func (k Kind) container() string {
	if k == Object {
		return "Object"
	}
	return "Array"
}

// token is Elasticsearch's name for the token that begins a value.
func (k Kind) token() string {
	switch k {
	case Object:
		return "START_OBJECT"
	case Array:
		return "START_ARRAY"
	case String:
		return "VALUE_STRING"
	case Number:
		return "VALUE_NUMBER"
	case Null:
		return "VALUE_NULL"
	}
	return "VALUE_BOOLEAN"
}

// lastToken is where the token before the complaint begins: a name that is there twice is
// the complaint itself.
func (p *parser) lastToken() int {
	n := len(p.t.nodes) - 1
	if p.duplicated {
		n--
	}
	if n < 0 {
		return 0
	}
	return int(p.t.nodes[n].start)
}

// standing is where a parser stands that has met the error: at the last token, or, among
// the elements of an array, where the next one begins.
func (p *parser) standing(e *SyntaxError) int {
	if e.InString {
		return e.last
	}
	if n := len(p.t.open); n > 0 && !e.EOF && p.t.nodes[p.t.open[n-1]].kind == Array {
		return min(p.at, len(p.src))
	}
	for i := min(p.at, len(p.src)) - 1; i > e.last; i-- {
		if c := p.src[i]; c == '}' || c == ']' {
			return i
		}
	}
	return e.last
}
