package jsonx

import "unicode/utf8"

// wantToken is what Jackson tells of a word that is no JSON.
const wantToken = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"

// literal reads true, false or null.
func (p *parser) literal(want string, kind Kind) error {
	start := p.at
	end := start + len(want)
	if end > len(p.src) || string(p.src[start:end]) != want || end < len(p.src) && identifierPart(p.src[end]) {
		return p.unrecognized(start)
	}
	p.at = end
	p.scalar(start, kind, false)
	return nil
}

func identifierPart(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func (p *parser) digits() int {
	start := p.at
	for p.at < len(p.src) && p.src[p.at]-'0' <= 9 {
		p.at++
	}
	return p.at - start
}

func (p *parser) number() error {
	start := p.at
	if p.src[p.at] == '-' {
		p.at++
	}
	first := p.at
	switch n := p.digits(); {
	case n == 0:
		return p.noDigit(start)
	case n > 1 && p.src[first] == '0':
		return p.fail(first+1, "Invalid numeric value: Leading zeroes not allowed")
	}
	if p.at < len(p.src) && p.src[p.at] == '.' {
		p.at++
		if p.digits() == 0 {
			if p.at == len(p.src) { // no end-of-input for Jackson, which looks back at the point
				return p.fail(p.at, "Unexpected character ('.' (code 46)) in numeric value: Decimal point not followed by a digit")
			}
			return p.unexpectedIn(" in numeric value", "Decimal point not followed by a digit")
		}
	}
	if p.at < len(p.src) && p.src[p.at]|0x20 == 'e' {
		p.at++
		if p.at < len(p.src) && (p.src[p.at] == '+' || p.src[p.at] == '-') {
			p.at++
		}
		if p.digits() == 0 {
			if p.at == len(p.src) {
				return p.eof("Unexpected end-of-input in %s", p.before())
			}
			return p.unexpectedIn(" in numeric value", "Exponent indicator not followed by a digit")
		}
	}
	if n := p.at - start; n > maxNumberLength {
		return p.limit("Number length (%d) exceeds the maximum length (%d)", n, maxNumberLength)
	}
	if len(p.t.open) == 0 && p.at < len(p.src) && p.src[p.at] > ' ' && p.src[p.at] != '/' {
		return p.unexpected("Expected space separating root-level values")
	}
	p.scalar(start, Number, false)
	return nil
}

// str reads a string value from its quote on.
func (p *parser) str() error {
	start, escaped := p.at, false
	p.at++
	for {
		p.plain()
		if p.at == len(p.src) {
			return p.inString(start, p.eof("Unexpected end-of-input in VALUE_STRING"))
		}
		switch c := p.src[p.at]; {
		case c == '"':
			p.at++
			p.scalar(start, String, escaped)
			return nil
		case c == '\\':
			escaped = true
			if err := p.escape(); err != nil {
				return p.inString(start, err)
			}
		case c < ' ':
			return p.inString(start, p.controlIn("string value"))
		default:
			size := validRune(p.src[p.at:])
			if size == 0 {
				return p.inString(start, p.badUTF8(p.at))
			}
			p.at += size
		}
	}
}

// fieldName reads a name from its quote on. Jackson checks a name's UTF-8 when it has
// the whole name.
func (p *parser) fieldName() error {
	start, escaped, bad := p.at, false, -1
	p.at++
	for {
		p.plain()
		if p.at == len(p.src) {
			return p.eof("Unexpected end-of-input in field name")
		}
		switch c := p.src[p.at]; {
		case c == '"':
			p.at++
			if bad >= 0 {
				return p.badUTF8(bad)
			}
			p.scalar(start, String, escaped)
			return nil
		case c == '\\':
			escaped = true
			if err := p.escape(); err != nil {
				return err
			}
		case c < ' ':
			return p.controlIn("name")
		default:
			size := validRune(p.src[p.at:])
			if size == 0 {
				size = 1
				if bad < 0 {
					bad = p.at
				}
			}
			p.at += size
		}
	}
}

// plain passes the characters that stand for themselves.
func (p *parser) plain() {
	src, i := p.src, p.at
	for i < len(src) && isPlain[src[i]] {
		i++
	}
	p.at = i
}

var isPlain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// validRune is the length of the character in front, 0 when it is no UTF-8.
func validRune(b []byte) int {
	r, size := utf8.DecodeRune(b)
	if r == utf8.RuneError && size <= 1 {
		return 0
	}
	return size
}

// escape passes an escape. Halves of surrogate pairs are taken alone, as Jackson does.
func (p *parser) escape() error {
	if p.at+1 == len(p.src) {
		return p.eof("Unexpected end-of-input in character escape sequence")
	}
	switch p.src[p.at+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.at += 2
		return nil
	case 'u':
		p.at += 2
		for range 4 {
			if p.at == len(p.src) {
				return p.eof("Unexpected end-of-input in character escape sequence")
			}
			if _, ok := hexDigit(p.src[p.at]); !ok {
				return p.unexpected("expected a hex-digit for character escape sequence")
			}
			p.at++
		}
		return nil
	}
	return p.badEscape()
}
