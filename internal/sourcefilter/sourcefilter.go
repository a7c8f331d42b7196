// Package sourcefilter cuts a document's source down to the paths that a request's
// _source includes and excludes name, keeping the order of members and exact integers.
// Its rules are those seen on Elasticsearch 8.15.0.
package sourcefilter

import (
	"bytes"
	"slices"
	"strings"

	"postern/internal/jsonx"
)

// A Filter is immutable and safe for concurrent use; a nil Filter passes everything.
type Filter struct {
	include, exclude *patterns
	// keepEmpty keeps an object that has lost all its members though it is itself
	// included. Elasticsearch filters in two ways: when an exclude has a wildcard it
	// keeps such objects and lets * cross dots; otherwise neither.
	keepEmpty bool
}

// New makes a filter of path patterns; without any it is nil.
func New(includes, excludes []string) *Filter {
	if len(includes) == 0 && len(excludes) == 0 {
		return nil
	}
	wild := slices.ContainsFunc(excludes, func(s string) bool { return strings.Contains(s, "*") })
	return &Filter{compile(includes, wild), compile(excludes, wild), wild}
}

// Append appends what is left of source, an object, as compact JSON. A nil Filter
// appends the bytes as they stand.
func (f *Filter) Append(dst []byte, source jsonx.Value) []byte {
	if f == nil {
		return append(dst, source.Raw()...)
	}
	dst, _ = f.object(dst, source, path{f.include.start(), f.exclude.start()}, true)
	return dst
}

// A path is what both pattern sets make of a dotted path.
type path struct{ in, ex state }

func (f *Filter) included(p path) bool { return f.include.empty || f.include.accepts(p.in) }
func (f *Filter) excluded(p path) bool { return f.exclude.accepts(p.ex) }

// object appends the members that pass and reports whether any did.
func (f *Filter) object(dst []byte, v jsonx.Value, at path, top bool) ([]byte, bool) {
	dst = append(dst, '{')
	first := true
	for key, value := range v.Members() {
		name := key.Bytes()
		below := path{f.include.descend(at.in, name, top), f.exclude.descend(at.ex, name, top)}
		if !f.include.empty && below.in.dead() || f.excluded(below) {
			continue
		}
		mark := len(dst)
		if !first {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(dst, string(name))
		dst = append(dst, ':')
		var kept bool
		if dst, kept = f.value(dst, value, below); !kept {
			dst = dst[:mark]
			continue
		}
		first = false
	}
	return append(dst, '}'), !first
}

// value appends what is left of a value below an already entered path and reports
// whether it stays at all.
func (f *Filter) value(dst []byte, v jsonx.Value, at path) ([]byte, bool) {
	switch v.Kind() {
	case jsonx.Object:
		dst, some := f.object(dst, v, at, false)
		return dst, some || f.included(at) && (f.keepEmpty || v.Len() == 0)
	case jsonx.Array:
		dst = append(dst, '[')
		first := true
		for e := range v.Elements() {
			mark := len(dst)
			if !first {
				dst = append(dst, ',')
			}
			var kept bool
			if dst, kept = f.value(dst, e, at); !kept {
				dst = dst[:mark]
				continue
			}
			first = false
		}
		return append(dst, ']'), !first || f.included(at) && (f.keepEmpty || v.Len() == 0)
	}
	if !f.included(at) {
		return dst, false
	}
	return appendScalar(dst, v), true
}

// appendScalar writes integers, strings and literals as they stand, and decimal numbers
// as Elasticsearch writes them again: as Java doubles.
func appendScalar(dst []byte, v jsonx.Value) []byte {
	if v.Kind() == jsonx.String {
		return jsonx.AppendString(dst, v.Text())
	}
	raw := v.Raw()
	if v.Kind() == jsonx.Number && bytes.ContainsAny(raw, ".eE") {
		if d, ok := v.Float64(); ok {
			return jsonx.AppendFloat(dst, d)
		}
	}
	return append(dst, raw...)
}
