package render

import "postern/internal/jsonx"

// Pretty appends v as Elasticsearch's ?pretty shows it, without the line end that
// follows an answer.
func Pretty(dst []byte, v jsonx.Value) []byte { return appendPretty(dst, v, 0) }

func appendPretty(dst []byte, v jsonx.Value, depth int) []byte {
	first := true
	switch v.Kind() {
	case jsonx.Object:
		if v.Len() == 0 {
			return append(dst, "{ }"...)
		}
		dst = append(dst, '{')
		for k, m := range v.Members() {
			dst = appendBreak(dst, first, depth+1)
			first = false
			dst = jsonx.AppendString(dst, k.Text())
			dst = append(dst, " : "...)
			dst = appendPretty(dst, m, depth+1)
		}
		return append(appendIndent(append(dst, '\n'), depth), '}')
	case jsonx.Array:
		if v.Len() == 0 {
			return append(dst, "[ ]"...)
		}
		dst = append(dst, '[')
		for e := range v.Elements() {
			dst = appendBreak(dst, first, depth+1)
			first = false
			dst = appendPretty(dst, e, depth+1)
		}
		return append(appendIndent(append(dst, '\n'), depth), ']')
	}
	return appendScalar(dst, v)
}

func appendBreak(dst []byte, first bool, depth int) []byte {
	if !first {
		dst = append(dst, ',')
	}
	return appendIndent(append(dst, '\n'), depth)
}

func appendIndent(dst []byte, depth int) []byte {
	for range depth {
		dst = append(dst, "  "...)
	}
	return dst
}
