package jsonx

import "bytes"

// parser reads a body from front to back, without recursion, and stops where Jackson
// would, with Jackson's words.
type parser struct {
	t   *Tape
	src []byte
	at  int
	// duplicated says that the last name stood there before.
	duplicated bool
}

func (p *parser) run() error {
	if bytes.HasPrefix(p.src, []byte("\xEF\xBB\xBF")) {
		p.at = 3
	}
	if err := p.space(); err != nil || p.at == len(p.src) {
		return err
	}
	for {
		if err := p.value(); err != nil {
			return err
		}
		if err := p.behindValue(); err != nil {
			return err
		}
		if len(p.t.open) == 0 {
			return p.trailing()
		}
	}
}

// value reads a scalar whole, of a container the opening bracket.
func (p *parser) value() error {
	switch c := p.src[p.at]; c {
	case '{':
		return p.open(Object)
	case '[':
		return p.open(Array)
	case '"':
		return p.str()
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.number()
	case 't':
		return p.literal("true", True)
	case 'f':
		return p.literal("false", False)
	case 'n':
		return p.literal("null", Null)
	}
	return p.noValue()
}

func (p *parser) open(kind Kind) error {
	t := p.t
	if len(t.open) == MaxDepth {
		return p.limit("Depth (%d) exceeds the maximum allowed nesting depth (%d)", MaxDepth+1, MaxDepth)
	}
	t.open = append(t.open, uint32(len(t.nodes)))
	t.nodes = append(t.nodes, node{start: uint32(p.at), kind: kind})
	p.at++
	return nil
}

// behindValue goes on to where the next value begins, or closes all containers. Just
// behind an opening bracket it finds the first value.
func (p *parser) behindValue() error {
	t := p.t
	for len(t.open) > 0 {
		top := t.open[len(t.open)-1]
		n := &t.nodes[top]
		if err := p.space(); err != nil {
			return err
		}
		if p.at == len(p.src) {
			return p.unclosed(n)
		}
		c := p.src[p.at]
		if c == '}' || c == ']' {
			if (c == '}') != (n.kind == Object) {
				return p.wrongClose(c, n)
			}
			p.at++
			n.end, n.next = uint32(p.at), uint32(len(t.nodes))
			t.open = t.open[:len(t.open)-1]
			continue
		}
		if n.count > 0 {
			if c != ',' {
				return p.unexpected("was expecting comma to separate " + n.kind.container() + " entries")
			}
			p.at++
			if err := p.spaceWithin(n.kind); err != nil {
				if e := err.(*SyntaxError); e.EOF && p.at == len(p.src) {
					e.EOF = false // behind a comma Jackson takes the end for a wrong character
				}
				return err
			}
		}
		n.count++
		if n.kind == Object {
			return p.name(top)
		}
		return nil
	}
	return nil
}

// name reads a member's name and its colon.
func (p *parser) name(object uint32) error {
	if p.src[p.at] != '"' {
		return p.unexpected("was expecting double-quote to start field name")
	}
	if err := p.fieldName(); err != nil {
		return err
	}
	if p.t.duplicate(object) {
		p.duplicated = true
		return p.fail(p.at, "Duplicate field '%s'", Value{p.t, uint32(len(p.t.nodes) - 1)}.Bytes())
	}
	if p.at < len(p.src) && p.src[p.at] == ':' { // the usual case
		p.at++
		return p.spaceWithin(Object)
	}
	if err := p.spaceWithin(Object); err != nil {
		return err
	}
	if p.src[p.at] != ':' {
		return p.unexpected("was expecting a colon to separate field name and value")
	}
	p.at++
	return p.spaceWithin(Object)
}

// trailing sees to it that nothing follows the outermost value.
func (p *parser) trailing() error {
	err := p.space()
	if err == nil && p.at == len(p.src) {
		return nil
	}
	behind := parser{t: &Tape{src: p.src}, src: p.src, at: p.at}
	if err == nil {
		err = behind.value()
	}
	if err != nil {
		err.(*SyntaxError).Behind = true
		return err
	}
	line, col := position(p.src, p.at)
	token := behind.t.nodes[0].kind.token()
	return &SyntaxError{Line: line, Col: col, Trailing: token, src: p.src,
		Msg: "Unexpected token [" + token + "] found after the main object."}
}

// scalar adds the name or value that began at start and ends here.
func (p *parser) scalar(start int, kind Kind, escaped bool) {
	t := p.t
	t.nodes = append(t.nodes, node{start: uint32(start), end: uint32(p.at), next: uint32(len(t.nodes) + 1), kind: kind, escaped: escaped})
}
