package render

import "postern/internal/jsonx"

// Compact appends v as Elasticsearch writes it: without blanks, numbers and strings
// anew.
func Compact(dst []byte, v jsonx.Value) []byte {
	switch v.Kind() {
	case jsonx.Object:
		dst = append(dst, '{')
		start := len(dst)
		for k, m := range v.Members() {
			dst = appendComma(dst, start)
			dst = jsonx.AppendString(dst, k.Text())
			dst = append(dst, ':')
			dst = Compact(dst, m)
		}
		return append(dst, '}')
	case jsonx.Array:
		dst = append(dst, '[')
		start := len(dst)
		for e := range v.Elements() {
			dst = appendComma(dst, start)
			dst = Compact(dst, e)
		}
		return append(dst, ']')
	}
	return appendScalar(dst, v)
}

// appendComma separates what follows from what was appended since start.
func appendComma(dst []byte, start int) []byte {
	if len(dst) > start {
		return append(dst, ',')
	}
	return dst
}
