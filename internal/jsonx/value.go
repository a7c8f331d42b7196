// Package jsonx reads JSON as Elasticsearch reads it (ordered members, exact numbers,
// comments, positions by line and column) and appends it as Elasticsearch writes it.
//
// A body is parsed once into a flat tape; Value is a cheap cursor on it.
package jsonx

import "iter"

// Kind is the kind of a JSON value.
type Kind uint8

const (
	Invalid Kind = iota
	Null
	False
	True
	Number
	String
	Object
	Array
	// Broken stands where a body breaks off, see SyntaxError.Read; no whole body has it.
	Broken
)

// Pair is one member of an object whose keys are free; order is kept.
type Pair[T any] struct {
	Key   string
	Value T
}

// Appender is what can append itself as JSON.
type Appender interface {
	AppendJSON(dst []byte) []byte
}

// Value is a cursor on a parsed body, valid as long as the body's bytes and its tape
// are left alone. The zero Value has the Kind Invalid and stands for an absent value.
type Value struct {
	t *Tape
	i uint32
}

// Key is the name of a member.
type Key struct{ v Value }

func (v Value) node() *node { return &v.t.nodes[v.i] }

// Kind tells what the value is.
func (v Value) Kind() Kind {
	if v.t == nil {
		return Invalid
	}
	return v.node().kind
}

// Exists reports whether there is a value, null included.
func (v Value) Exists() bool { return v.t != nil }

// Raw is the value as it stands in the body; it must not be changed.
func (v Value) Raw() []byte {
	if v.t == nil {
		return nil
	}
	n := v.node()
	return v.t.src[n.start:n.end:n.end]
}

// Bytes is the content of a string, decoded, or the literal of a number, bool or null;
// it shares the body's memory where no escape stands in it.
func (v Value) Bytes() []byte {
	if v.t == nil {
		return nil
	}
	n := v.node()
	switch {
	case n.kind != String:
		return v.t.src[n.start:n.end:n.end]
	case n.escaped:
		return unescape(make([]byte, 0, n.end-n.start-2), v.t.src[n.start+1:n.end-1])
	}
	return v.t.src[n.start+1 : n.end-1 : n.end-1]
}

// Text is Bytes as a string.
func (v Value) Text() string { return string(v.Bytes()) }

// Offset is the byte of the body at which the value begins.
func (v Value) Offset() int { return int(v.node().start) }

// Len counts the members of an object or the elements of an array.
func (v Value) Len() int {
	if k := v.Kind(); k != Object && k != Array {
		return 0
	}
	return int(v.node().count)
}

// Members lists an object's members in the order of the body; other kinds have none.
func (v Value) Members() iter.Seq2[Key, Value] {
	return func(yield func(Key, Value) bool) {
		if v.Kind() != Object {
			return
		}
		end := v.node().next
		for i := v.i + 1; i < end; i = v.t.nodes[i+1].next {
			v.t.reached = v.t.reached || v.t.nodes[i+1].kind == Broken
			if !yield(Key{Value{v.t, i}}, Value{v.t, i + 1}) {
				return
			}
		}
		v.t.reached = v.t.reached || v.node().cut
	}
}

// Elements lists an array's elements; other kinds have none.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		end := v.node().next
		for i := v.i + 1; i < end; i = v.t.nodes[i].next {
			v.t.reached = v.t.reached || v.t.nodes[i].kind == Broken
			if !yield(Value{v.t, i}) {
				return
			}
		}
		v.t.reached = v.t.reached || v.node().cut
	}
}

// Get is an object's member of that name, or an absent value.
func (v Value) Get(name string) Value {
	for k, m := range v.Members() {
		if k.Is(name) {
			return m
		}
	}
	return Value{}
}

// Bool is the value of true and false.
func (v Value) Bool() (value, ok bool) {
	k := v.Kind()
	return k == True, k == True || k == False
}

// Is compares the name without making a string of it.
func (k Key) Is(name string) bool {
	n := k.v.node()
	if n.kind == String && !n.escaped {
		return string(k.v.t.src[n.start+1:n.end-1]) == name
	}
	return string(k.v.Bytes()) == name
}

// Text is the decoded name.
func (k Key) Text() string { return k.v.Text() }

// Bytes is the decoded name; see Value.Bytes.
func (k Key) Bytes() []byte { return k.v.Bytes() }

// Pos is where the name begins.
func (k Key) Pos() (line, col int) { return k.v.Pos() }
