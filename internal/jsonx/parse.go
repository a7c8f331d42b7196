package jsonx

import "math"

// Limits of Elasticsearch's parser.
const (
	MaxDepth        = 1000
	maxNumberLength = 1000
)

// Tape holds the nodes of one parsed body in the body's order: behind an object stand
// name, value, name, value …, behind an array its elements.
//
// A Tape may be parsed into again and again (ParseReuse) and then allocates nothing.
type Tape struct {
	src   []byte
	nodes []node
	open  []uint32 // the containers that are not closed yet
	names nameSet
	depth int // of nested clauses, see Value.Enter
	// reached says that a decoder has come to the break of a broken body.
	reached bool
}

type node struct {
	start, end uint32 // of the value in src
	next       uint32 // the node behind this one and all that it holds
	count      uint32 // members or elements
	kind       Kind
	escaped    bool // a string with a backslash in it
	cut        bool // a container that was never closed
}

// Parse reads one JSON value as Elasticsearch does: comments, a byte order mark and
// escapes of lone surrogates are taken; duplicate names, anything behind the value,
// invalid UTF-8 and nesting beyond MaxDepth are not. The error is a *SyntaxError. A
// body of nothing but blanks gives the absent Value.
//
// b must stay unchanged while Values of it are in use.
func Parse(b []byte) (Value, error) {
	return ParseReuse(&Tape{nodes: make([]node, 0, 8+len(b)/10)}, b)
}

// ParseReuse is Parse into a tape that was used before, whose earlier Values are then
// void.
func ParseReuse(t *Tape, b []byte) (Value, error) {
	t.src, t.nodes, t.open = b, t.nodes[:0], t.open[:0]
	t.names.reset()
	t.depth, t.reached = 0, false
	if len(b) >= math.MaxInt32 {
		return Value{}, &SyntaxError{Line: 1, Col: 1, Msg: "body is longer than 2 GiB", Limit: true}
	}
	p := parser{t: t, src: b}
	if err := p.run(); err != nil {
		e := err.(*SyntaxError)
		e.tape, e.at, e.duplicated = t, p.standing(e), p.duplicated
		return Value{}, e
	}
	if len(t.nodes) == 0 {
		return Value{}, nil
	}
	return Value{t, 0}, nil
}

// MustParse is for values written in code; it panics on bad JSON.
func MustParse(s string) Value {
	v, err := Parse([]byte(s))
	if err != nil {
		panic(err)
	}
	return v
}
