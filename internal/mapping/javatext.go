package mapping

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"postern/internal/jsonx"
)

// javaString is a JSON value as Java prints the objects that Elasticsearch reads it into:
// maps as {a=1}, lists as [1, 2].
func javaString(v jsonx.Value) string {
	var b strings.Builder
	writeJava(&b, v, false)
	return b.String()
}

func writeJava(b *strings.Builder, v jsonx.Value, inside bool) {
	switch v.Kind() {
	case jsonx.Object:
		b.WriteByte('{')
		for i, m := range hashOrdered(v) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(m.name)
			b.WriteByte('=')
			writeJava(b, m.value, true)
		}
		b.WriteByte('}')
	case jsonx.Array:
		b.WriteByte('[')
		first := true
		for e := range v.Elements() {
			if !first {
				b.WriteString(", ")
			}
			first = false
			writeJava(b, e, true)
		}
		b.WriteByte(']')
	case jsonx.Number:
		b.Write(appendNumber(nil, v))
	default:
		b.WriteString(v.Text())
	}
}

// appendNumber prints a number as Java does that read it as an integer or a double.
func appendNumber(dst []byte, v jsonx.Value) []byte {
	raw := v.Raw()
	if !isDecimal(raw) {
		return append(dst, raw...)
	}
	f, _ := v.Float64()
	return appendDouble(dst, f)
}

func appendDouble(dst []byte, f float64) []byte {
	switch {
	case f != f:
		return append(dst, "NaN"...)
	case f > 1.7976931348623157e308:
		return append(dst, "Infinity"...)
	case f < -1.7976931348623157e308:
		return append(dst, "-Infinity"...)
	}
	return jsonx.AppendFloat(dst, f)
}

func isDecimal(raw []byte) bool {
	for _, c := range raw {
		if c == '.' || c|0x20 == 'e' {
			return true
		}
	}
	return false
}

type member struct {
	name  string
	key   jsonx.Key
	value jsonx.Value
}

// hashOrdered lists an object's members as Java's HashMap iterates them, which is the
// order in which Elasticsearch complains and prints some of its objects.
func hashOrdered(v jsonx.Value) []member {
	size := 16
	for n := v.Len(); n*4 > size*3; {
		size *= 2
	}
	buckets := make([][]member, size)
	for k, m := range v.Members() {
		name := k.Text()
		h := uint32(0)
		for _, u := range utf16.Encode([]rune(name)) {
			h = 31*h + uint32(u)
		}
		i := (h ^ h>>16) & uint32(size-1)
		buckets[i] = append(buckets[i], member{name, k, m})
	}
	list := make([]member, 0, v.Len())
	for _, b := range buckets {
		list = append(list, b...)
	}
	return list
}

// appendMap prints a value the way Elasticsearch does that has read it into Java's maps.
func appendMap(dst []byte, v jsonx.Value) []byte {
	switch v.Kind() {
	case jsonx.Object:
		dst = append(dst, '{')
		for i, m := range hashOrdered(v) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = jsonx.AppendString(dst, m.name)
			dst = append(dst, ':')
			dst = appendMap(dst, m.value)
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
			dst = appendMap(dst, e)
		}
		return append(dst, ']')
	case jsonx.Number:
		return appendNumber(dst, v)
	case jsonx.String:
		return jsonx.AppendString(dst, v.Text())
	}
	return append(dst, v.Raw()...)
}

// javaClass names the Java class that Elasticsearch reads a value into.
func javaClass(v jsonx.Value) string {
	switch v.Kind() {
	case jsonx.Object:
		return "java.util.HashMap"
	case jsonx.Array:
		return "java.util.ArrayList"
	case jsonx.String:
		return "java.lang.String"
	case jsonx.True, jsonx.False:
		return "java.lang.Boolean"
	}
	return "java.lang." + numberClass(v)
}

func numberClass(v jsonx.Value) string {
	raw := v.Raw()
	if isDecimal(raw) {
		return "Double"
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	switch {
	case err != nil:
		return "BigInteger"
	case n == int64(int32(n)):
		return "Integer"
	}
	return "Long"
}
