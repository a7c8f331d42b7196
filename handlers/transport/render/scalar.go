// Package render turns an answer in compact JSON into the other forms that a client
// may ask for: pretty, YAML, a part of it (filter_path).
//
// Like Elasticsearch's generators it writes numbers and strings anew, those of a
// _source too: 1.50 becomes 1.5, \u00e9 becomes é.
package render

import (
	"bytes"

	"postern/internal/jsonx"
)

// appendScalar appends a value that holds no others, as JSON.
func appendScalar(dst []byte, v jsonx.Value) []byte {
	switch v.Kind() {
	case jsonx.String:
		return jsonx.AppendString(dst, v.Text())
	case jsonx.Number:
		return appendNumber(dst, v)
	}
	return append(dst, v.Raw()...)
}

// appendNumber keeps integers of any length and writes all else as a double.
func appendNumber(dst []byte, v jsonx.Value) []byte {
	raw := v.Raw()
	if !bytes.ContainsAny(raw, ".eE") {
		return append(dst, raw...)
	}
	f, _ := v.Float64()
	return jsonx.AppendFloat(dst, f)
}
