package jsonx

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

const hexDigits = "0123456789ABCDEF"

// AppendString appends s as a JSON string the way Jackson writes it: quotes, backslashes
// and control characters are escaped, characters beyond U+FFFF are written as the escapes
// of their surrogates, everything else stands as UTF-8. Bytes that are no UTF-8 become
// U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size <= 1:
				dst = append(dst, s[from:i]...)
				dst = append(dst, "\uFFFD"...)
				from = i + 1
			case size == 4:
				dst = append(dst, s[from:i]...)
				high, low := utf16.EncodeRune(r)
				dst = appendUnit(appendUnit(dst, high), low)
				from = i + size
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = appendUnit(dst, rune(c))
		}
		i++
		from = i
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// appendUnit appends the escape of one UTF-16 unit.
func appendUnit(dst []byte, u rune) []byte {
	return append(dst, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}

// AppendBool appends true or false.
func AppendBool(dst []byte, b bool) []byte { return strconv.AppendBool(dst, b) }

// Compact appends a value without white space and comments; numbers and strings stand as
// they came.
func Compact(dst []byte, v Value) []byte {
	switch v.Kind() {
	case Object:
		dst = append(dst, '{')
		first := true
		for k, m := range v.Members() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(dst, k.v.Raw()...)
			dst = append(dst, ':')
			dst = Compact(dst, m)
		}
		return append(dst, '}')
	case Array:
		dst = append(dst, '[')
		first := true
		for e := range v.Elements() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = Compact(dst, e)
		}
		return append(dst, ']')
	}
	return append(dst, v.Raw()...)
}
