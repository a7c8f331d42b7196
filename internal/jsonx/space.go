package jsonx

import "bytes"

// space passes blanks and comments (/* */ and //).
func (p *parser) space() error {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case '/':
			if err := p.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// spaceWithin is space where the container must go on.
func (p *parser) spaceWithin(container Kind) error {
	if p.at < len(p.src) && p.src[p.at] > ' ' && p.src[p.at] != '/' { // the usual case
		return nil
	}
	if err := p.space(); err != nil {
		return err
	}
	if p.at == len(p.src) {
		return p.eof("Unexpected end-of-input within/between %s entries", container.container())
	}
	return nil
}

func (p *parser) comment() error {
	if p.at+1 == len(p.src) {
		return p.eof("Unexpected end-of-input in a comment")
	}
	rest := p.src[p.at+2:]
	switch p.src[p.at+1] {
	case '/':
		n := bytes.IndexAny(rest, "\r\n")
		if n < 0 {
			n = len(rest)
		}
		p.at += 2 + n
		return nil
	case '*':
		n := bytes.Index(rest, []byte("*/"))
		if n < 0 {
			return p.eof("Unexpected end-of-input in a comment")
		}
		p.at += 2 + n + 2
		return nil
	}
	p.at++
	return p.unexpected("was expecting either '*' or '/' for a comment")
}
