package aggs

import (
	"reflect"
	"strconv"

	gen "postern/generated/aggs"
	"postern/internal/jsonx"
)

// AppendKey appends bytes that are equal for aggregations that ask for the same.
func (t *Tree) AppendKey(dst []byte) []byte {
	for _, n := range t.plan {
		dst = append(dst, n.key...)
	}
	for _, p := range t.pipes {
		dst = append(dst, p.key...)
	}
	return dst
}

// keyOf walks a request's structure, which is small beside evaluating it.
func keyOf(name string, a *gen.AggregationContainer) []byte {
	return appendKey(strconv.AppendQuote(nil, name), reflect.ValueOf(a).Elem())
}

func appendKey(dst []byte, v reflect.Value) []byte {
	if raw, ok := v.Interface().(jsonx.Value); ok {
		dst = append(dst, 'v')
		if raw.Exists() {
			dst = jsonx.Compact(dst, raw)
		}
		return dst
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return append(dst, '-')
		}
		return appendKey(dst, v.Elem())
	case reflect.Struct:
		dst = append(dst, '{')
		for i := range v.NumField() {
			f := v.Field(i)
			if !v.Type().Field(i).IsExported() || f.IsZero() {
				continue
			}
			dst = append(dst, v.Type().Field(i).Name...)
			dst = append(dst, ':')
			dst = appendKey(dst, f)
		}
		return append(dst, '}')
	case reflect.Slice:
		dst = append(dst, '[')
		for i := range v.Len() {
			dst = appendKey(dst, v.Index(i))
			dst = append(dst, ',')
		}
		return append(dst, ']')
	case reflect.String:
		return strconv.AppendQuote(dst, v.String())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Float32, reflect.Float64:
		return strconv.AppendFloat(dst, v.Float(), 'g', -1, 64)
	}
	if v.CanInt() {
		return strconv.AppendInt(dst, v.Int(), 10)
	}
	if v.CanUint() {
		return strconv.AppendUint(dst, v.Uint(), 10)
	}
	return dst
}
