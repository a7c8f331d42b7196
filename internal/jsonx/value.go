// Package jsonx reads JSON as Elasticsearch reads it (ordered members, exact
// numbers, comments, positions by line and column) and appends it as Elasticsearch
// writes it.
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

// Value is a cursor on one value of a parsed body. The zero Value is absent: its
// kind is Invalid and every read of it is empty.
//
// A Value is good as long as the bytes that it was parsed from stay unchanged and
// its Tape is not parsed into again.
type Value struct {
	tape *Tape
	at   int32
}

// Key is the name of an object's member.
type Key struct{ v Value }

// Text is the decoded name.
func (k Key) Text() string { return k.v.Text() }

// Bytes is the decoded name, without a copy where no escape stands in it.
func (k Key) Bytes() []byte { return k.v.Bytes() }

// Pos is the line and column of the name's opening quote, from 1.
func (k Key) Pos() (line, col int) { return k.v.Pos() }

// Kind is the value's kind; Invalid when it is absent.
func (v Value) Kind() Kind {
	if v.tape == nil {
		return Invalid
	}
	return v.tape.nodes[v.at].kind
}

// Exists says whether there is a value (null is one).
func (v Value) Exists() bool { return v.tape != nil }

// Raw is the value's own bytes in the body, comments included.
func (v Value) Raw() []byte {
	if v.tape == nil {
		return nil
	}
	n := &v.tape.nodes[v.at]
	return v.tape.src[n.start:n.end:n.end]
}

// Len is the number of members or elements; 0 for a scalar.
func (v Value) Len() int {
	if v.tape == nil {
		return 0
	}
	return int(v.tape.nodes[v.at].count)
}

// Members runs over an object's members in the order of the body.
func (v Value) Members() iter.Seq2[Key, Value] {
	return func(yield func(Key, Value) bool) {
		if v.Kind() != Object {
			return
		}
		nodes := v.tape.nodes
		for i, end := v.at+1, nodes[v.at].next; i < end; {
			if !yield(Key{Value{v.tape, i}}, Value{v.tape, i + 1}) {
				return
			}
			i = nodes[i+1].next
		}
	}
}

// Elements runs over an array's elements.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		nodes := v.tape.nodes
		for i, end := v.at+1, nodes[v.at].next; i < end; i = nodes[i].next {
			if !yield(Value{v.tape, i}) {
				return
			}
		}
	}
}

// Get is the member of that name, absent when there is none. It walks the members:
// a reader of many names iterates instead.
func (v Value) Get(name string) Value {
	if v.Kind() != Object {
		return Value{}
	}
	nodes := v.tape.nodes
	for i, end := v.at+1, nodes[v.at].next; i < end; i = nodes[i+1].next {
		if string((Value{v.tape, i}).Bytes()) == name {
			return Value{v.tape, i + 1}
		}
	}
	return Value{}
}

// Bool is the value of true or false.
func (v Value) Bool() (value, ok bool) {
	k := v.Kind()
	return k == True, k == True || k == False
}
