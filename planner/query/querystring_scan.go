package query

import (
	"strconv"
	"strings"
)

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

// fieldName reads "name:" if it stands here.
func (p *qParser) fieldName() (string, bool) {
	start := p.at
	name, wild := p.term()
	if wild && name != "*" { // only escaped wildcards stand for several fields
		name = ""
	}
	if name != "" && p.at < len(p.text) && p.text[p.at] == ':' {
		p.at++
		return name, true
	}
	p.at = start
	return "", false
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
			p.at++
			p.escaped(&plain)
			continue
		case ch == '*' || ch == '?':
			wild = true
		case strings.IndexByte(" \t\n\r()[]{}\"^~:/!", ch) >= 0:
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

// escaped reads what stands after a backslash: a character, or u and four digits.
func (p *qParser) escaped(b *strings.Builder) {
	rest := p.text[p.at:]
	if len(rest) >= 5 && rest[0] == 'u' {
		if code, err := strconv.ParseUint(rest[1:5], 16, 16); err == nil {
			b.WriteRune(rune(code))
			p.at += 5
			return
		}
	}
	b.WriteByte(rest[0])
	p.at++
}

func (p *qParser) quotedText() (string, error) {
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch ch := p.text[p.at]; {
		case ch == '\\' && p.at+1 < len(p.text):
			p.at++
			p.escaped(&b)
			p.at--
		case ch == '"':
			p.at++
			return b.String(), nil
		default:
			b.WriteByte(ch)
		}
	}
	return "", p.unexpected()
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
