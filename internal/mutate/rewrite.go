package mutate

import (
	"strconv"

	"postern/internal/jsonx"
)

// appendRewritten appends a value as Elasticsearch writes what it has read into Java's
// maps: without white space, escapes and numbers in Java's form.
func appendRewritten(dst []byte, v jsonx.Value) []byte {
	switch v.Kind() {
	case jsonx.Object:
		dst = append(dst, '{')
		first := true
		for k, m := range v.Members() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(jsonx.AppendString(dst, k.Text()), ':')
			dst = appendRewritten(dst, m)
		}
		return append(dst, '}')
	case jsonx.Array:
		dst = append(dst, '[')
		first := true
		for e := range v.Elements() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = appendRewritten(dst, e)
		}
		return append(dst, ']')
	case jsonx.String:
		return jsonx.AppendString(dst, v.Text())
	case jsonx.Number:
		return appendNumber(dst, v.Raw())
	}
	return append(dst, v.Raw()...)
}

// appendNumber keeps integers of any length and writes other numbers as doubles.
func appendNumber(dst, raw []byte) []byte {
	if isInteger(raw) {
		if string(raw) == "-0" {
			return append(dst, '0')
		}
		return append(dst, raw...)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil && f == 0 {
		return append(dst, raw...)
	}
	return jsonx.AppendFloat(dst, f)
}

func isInteger(raw []byte) bool {
	for i, c := range raw {
		if (c < '0' || c > '9') && (c != '-' || i > 0) {
			return false
		}
	}
	return true
}

// equal compares as Java compares what it has read: objects without order, numbers by
// kind and value (1 is not 1.0, 1.5 is 1.50).
func equal(a, b jsonx.Value) bool {
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case jsonx.Object:
		for k, m := range a.Members() {
			other := b.Get(k.Text())
			if !other.Exists() || !equal(m, other) {
				return false
			}
		}
		return true
	case jsonx.Array:
		next := elements(b)
		for e := range a.Elements() {
			if !equal(e, next[0]) {
				return false
			}
			next = next[1:]
		}
		return true
	case jsonx.String:
		return string(a.Bytes()) == string(b.Bytes())
	case jsonx.Number:
		return string(appendNumber(nil, a.Raw())) == string(appendNumber(nil, b.Raw()))
	}
	return true
}

func elements(v jsonx.Value) []jsonx.Value {
	list := make([]jsonx.Value, 0, v.Len())
	for e := range v.Elements() {
		list = append(list, e)
	}
	return list
}
