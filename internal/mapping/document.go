package mapping

import "postern/internal/analysis"

// Kind is the kind of column that a field's values lie in.
type Kind uint8

const (
	// KindNone has no column; only that the field exists in a document is kept.
	KindNone Kind = iota
	// KindKeyword is for keyword: S is the term.
	KindKeyword
	// KindText is for text: S is the text and Tokens are its analysed form.
	KindText
	// KindLong is for byte to long, boolean (0 and 1), date (milliseconds) and
	// date_nanos (nanoseconds): I is the value.
	KindLong
	// KindDouble is for half_float, float, double and scaled_float: F is the value as
	// Elasticsearch's doc values give it.
	KindDouble
	// KindIP is for ip: S is the address in 16 bytes, version 4 mapped.
	KindIP
	// KindGeoPoint is for geo_point: F is the latitude, I the bits of the longitude.
	KindGeoPoint
	// KindVector is for dense_vector: V is the vector.
	KindVector
)

// Document is a document as columns take it. Its strings and tokens are good until the
// Document is parsed into again or the body's bytes change; what the store keeps of them
// is copied.
type Document struct {
	ID, Routing string
	// SeqNo and Version are set by the store.
	SeqNo, Version int64
	Values         []Value
	// Ignored are the fields with values that were ignored, sorted.
	Ignored []string
	// Children are the nested documents, each behind its parent.
	Children []Child

	// tokens and bytes are where the Values' Tokens and made-up strings lie.
	tokens []analysis.Token
	bytes  []byte
	parser docParser
}

// Child is one nested object.
type Child struct {
	Path string
	// Parent is its enclosing nested object in Document.Children, -1 for the document.
	Parent int
	Values []Value
}

// Value is one value of one field; which members hold it depends on the Field's Kind.
type Value struct {
	Field  *Field
	I      int64
	F      float64
	S      string
	V      []float32
	Tokens []analysis.Token
}

// reset makes the Document ready to be parsed into, keeping its memory.
func (d *Document) reset(id, routing string) {
	d.ID, d.Routing, d.SeqNo, d.Version = id, routing, 0, 0
	d.Values, d.Ignored, d.Children = d.Values[:0], d.Ignored[:0], d.Children[:0]
	d.tokens, d.bytes = d.tokens[:0], d.bytes[:0]
}

// child adds a nested object and gives its place in Children.
func (d *Document) child(path string, parent int) int {
	n := len(d.Children)
	if n < cap(d.Children) {
		d.Children = d.Children[:n+1]
		c := &d.Children[n]
		*c = Child{Path: path, Parent: parent, Values: c.Values[:0]}
	} else {
		d.Children = append(d.Children, Child{Path: path, Parent: parent})
	}
	return n
}
