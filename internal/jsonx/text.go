package jsonx

import "github.com/go-json-experiment/json/jsontext"

// Text is a string's decoded content; of numbers, true, false and null it is their
// literal text, of objects and arrays their raw bytes.
func (v Value) Text() string { return string(v.Bytes()) }

// Bytes is like Text, without a copy where no escape stands in the string: then the
// bytes belong to the body and must not be changed.
//
// Half of a surrogate pair, which Elasticsearch takes, becomes U+FFFD.
func (v Value) Bytes() []byte {
	if v.tape == nil {
		return nil
	}
	n := &v.tape.nodes[v.at]
	if n.kind != String {
		return v.tape.src[n.start:n.end:n.end]
	}
	raw := v.tape.src[n.start:n.end]
	if !n.escaped {
		return raw[1 : len(raw)-1 : len(raw)-1]
	}
	// The error tells of lone surrogates only: the tokenizer has seen the rest.
	text, _ := jsontext.AppendUnquote(make([]byte, 0, len(raw)), raw)
	return text
}
