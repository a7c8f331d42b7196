package jsonx

import (
	"bytes"
	"math"
	"strconv"
)

// AppendFloat appends f as Java's Double.toString writes it: 1.0, 1.0E10, 1.0E-5.
// NaN and the infinities are appended quoted, as Jackson does.
func AppendFloat(dst []byte, f float64) []byte { return appendFloat(dst, f, 64) }

// AppendFloat32 is AppendFloat for Java's Float.toString.
func AppendFloat32(dst []byte, f float32) []byte { return appendFloat(dst, float64(f), 32) }

func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	abs := math.Abs(f)
	if abs == 0 || abs >= 1e-3 && abs < 1e7 {
		start := len(dst)
		dst = strconv.AppendFloat(dst, f, 'f', -1, bits)
		for _, c := range dst[start:] {
			if c == '.' {
				return dst
			}
		}
		return append(dst, ".0"...)
	}
	// Go writes d.ddde±xx, with at least two digits of the exponent; Java d.dddE[-]x.
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], f, 'e', -1, bits)
	if bytes.IndexByte(text, '.') < 0 {
		// Java writes two digits at least, and those nearest to f: 4.9E-324, not 5.0E-324.
		text = strconv.AppendFloat(buf[:0], f, 'e', 1, bits)
	}
	e := len(text) - 1
	for text[e] != 'e' {
		e--
	}
	dst = append(dst, text[:e]...)
	dst = append(dst, 'E')
	if text[e+1] == '-' {
		dst = append(dst, '-')
	}
	exp := text[e+2:]
	if exp[0] == '0' {
		exp = exp[1:]
	}
	return append(dst, exp...)
}
