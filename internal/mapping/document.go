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

// Document is a document as columns take it. A Document may be parsed into again; what
// the store keeps of it is copied.
type Document struct {
	ID, Routing string
	// SeqNo and Version are set by the store.
	SeqNo, Version int64
	Values         []Value
	// Ignored are the fields with values that were ignored, sorted.
	Ignored []string
	// Children are the nested documents, each behind its parent.
	Children []Child
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
