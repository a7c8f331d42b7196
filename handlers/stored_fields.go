package handlers

import (
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
)

// appendStoredFields appends the values of those of the named fields that the mapping
// stores; nil when there are none.
func appendStoredFields(ix *metadata.Index, names []string, source []byte) ([]byte, error) {
	var out []byte
	for _, name := range names {
		f := ix.Mapping.Field(name)
		if f == nil || !f.Store || len(source) == 0 {
			continue
		}
		switch f.Type {
		case "keyword", "text", "long", "integer", "short", "byte", "double", "float", "half_float", "boolean":
		default:
			return nil, eserr.Refused("[stored_fields] with the field [%s] of type [%s] is not supported in this version of Postern", name, f.Type)
		}
		v, err := jsonx.Parse(source)
		if err != nil {
			return nil, err
		}
		var values []byte
		for _, path := range ix.Mapping.SourcePaths(name) {
			values = appendValues(values, v, path, f)
		}
		if values == nil {
			continue
		}
		if out == nil {
			out = []byte{'{'}
		} else {
			out = append(out, ',')
		}
		out = append(jsonx.AppendString(out, name), ":["...)
		out = append(append(out, values...), ']')
	}
	if out != nil {
		out = append(out, '}')
	}
	return out, nil
}

// appendValues appends the values at a dotted path, from inside of arrays too.
func appendValues(dst []byte, v jsonx.Value, path string, f *mapping.Field) []byte {
	if v.Kind() == jsonx.Array {
		for e := range v.Elements() {
			dst = appendValues(dst, e, path, f)
		}
		return dst
	}
	if path == "" {
		if v.Kind() == jsonx.Null || v.Kind() == jsonx.Object {
			return dst
		}
		if len(dst) > 0 {
			dst = append(dst, ',')
		}
		if f.Kind == mapping.KindKeyword || f.Kind == mapping.KindText {
			return jsonx.AppendString(dst, v.Text())
		}
		return append(dst, v.Text()...)
	}
	for k, m := range v.Members() {
		name := k.Text()
		if rest, ok := strings.CutPrefix(path, name); ok && (rest == "" || rest[0] == '.') {
			dst = appendValues(dst, m, strings.TrimPrefix(rest, "."), f)
		}
	}
	return dst
}
