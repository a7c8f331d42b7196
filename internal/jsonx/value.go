// Package jsonx reads JSON as Elasticsearch reads it (ordered members, exact
// numbers, comments, positions by line and column) and appends it as Elasticsearch
// writes it.
//
// A body is parsed once into a flat tape; Value is a cheap cursor on it.
package jsonx

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
