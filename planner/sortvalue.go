package planner

import (
	"cmp"
	"strconv"
	"strings"

	"postern/internal/jsonx"
)

// sortValue is one sort key of a hit as a value, comparable across segments and
// indices.
type sortValue struct {
	kind valueKind
	i    int64
	f    float64
	s    string
}

type valueKind uint8

const (
	nullValue   valueKind = iota // a missing string
	longValue                    // i
	doubleValue                  // f
	floatValue                   // f, in single precision
	stringValue                  // s
)

// compareValues orders two values of one sort field, ascending; missing strings are
// placed by the caller.
func compareValues(a, b sortValue) int {
	switch {
	case a.kind == longValue && b.kind == longValue:
		return cmp.Compare(a.i, b.i)
	case a.kind == stringValue && b.kind == stringValue:
		return strings.Compare(a.s, b.s)
	case a.numeric() && b.numeric():
		return cmp.Compare(keyOfDouble(a.double()), keyOfDouble(b.double()))
	}
	return cmp.Compare(a.kind, b.kind)
}

func (v sortValue) numeric() bool {
	return v.kind == longValue || v.kind == doubleValue || v.kind == floatValue
}

func (v sortValue) double() float64 {
	if v.kind == longValue {
		return float64(v.i)
	}
	return v.f
}

// append appends the value as an answer shows it.
func (v sortValue) append(dst []byte) []byte {
	switch v.kind {
	case longValue:
		return strconv.AppendInt(dst, v.i, 10)
	case doubleValue, floatValue:
		if v.kind == floatValue {
			return jsonx.AppendFloat32(dst, float32(v.f))
		}
		return jsonx.AppendFloat(dst, v.f)
	case stringValue:
		return jsonx.AppendString(dst, v.s)
	}
	return append(dst, "null"...)
}
