// Package mapping holds what an index knows of its fields: it parses, merges and prints
// mappings as Elasticsearch does, and turns documents into the typed values that columns
// are made of.
package mapping

import (
	"slices"
	"strings"

	"postern/internal/analysis"
	"postern/internal/jsonx"
)

// Mapping is the mapping of one index. It is immutable and safe for concurrent use.
type Mapping struct {
	root    *object
	meta    []byte // the _meta object as it is printed; nil for none
	source  Source
	routing routing
	options Options
	limits  Limits // those of options, defaults filled in

	// The rest is derived from the above; see index.
	fields  map[string]*Field // leaves by full path; multi-fields and aliases too
	objects map[string]*object
	names   []string // the keys of fields without aliases, sorted
	copied  map[string][]string
	nested  int // nested objects
}

// Source is what becomes of _source when a document is written.
type Source struct {
	Disabled           bool
	Includes, Excludes []string
	enabledSet         bool
}

type routing struct{ required, set bool }

// Source tells what is kept of _source.
func (m *Mapping) Source() Source { return m.source }

// RoutingRequired tells that every write must name a routing.
func (m *Mapping) RoutingRequired() bool { return m.routing.required }

// Options are those the mapping was parsed with.
func (m *Mapping) Options() Options { return m.options }

// Analyzer finds an analyzer by name: one of the index's own or a builtin one.
func (m *Mapping) Analyzer(name string) (*analysis.Analyzer, bool) {
	return m.options.Analyzers.Analyzer(name)
}

// Field finds a leaf by its full name; aliases lead to their field. It is nil when
// nothing of that name is mapped or an object is.
func (m *Mapping) Field(path string) *Field { return m.fields[path] }

// Match lists the leaves whose full name matches a pattern with *, sorted by name;
// multi-fields are among them, aliases are not.
func (m *Mapping) Match(pattern string) []*Field {
	var found []*Field
	if !strings.Contains(pattern, "*") {
		if f := m.fields[pattern]; f != nil {
			found = append(found, f)
		}
		return found
	}
	for _, name := range m.names {
		if simpleMatch(pattern, name) {
			found = append(found, m.fields[name])
		}
	}
	return found
}

// Object tells whether an object, nested or not, is mapped at that path.
func (m *Mapping) Object(path string) bool { return path != "" && m.objects[path] != nil }

// Nested is the nested object that a field or object lies in, itself included for a
// nested object; "" at the top.
func (m *Mapping) Nested(path string) string {
	if f := m.fields[path]; f != nil {
		return f.NestedPath
	}
	for p := path; p != ""; p = parentOf(p) {
		if o := m.objects[p]; o != nil {
			return o.nestedPath
		}
	}
	return ""
}

// HasNested tells whether the path of a nested object matches a pattern with *.
func (m *Mapping) HasNested(pattern string) bool {
	if m.nested == 0 {
		return false
	}
	for path, o := range m.objects {
		if o.nested && simpleMatch(pattern, path) {
			return true
		}
	}
	return false
}

// SourcePaths lists where in _source the values of a field come from: its own path, or
// its parent's for a multi-field, and the fields that copy to it.
func (m *Mapping) SourcePaths(name string) []string {
	f := m.fields[name]
	if f == nil {
		return nil
	}
	return append([]string{f.source}, m.copied[f.source]...)
}

// Empty tells that no field is mapped.
func (m *Mapping) Empty() bool { return len(m.fields) == 0 && len(m.objects) <= 1 }

func parentOf(path string) string {
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[:i]
	}
	return ""
}

// index derives the look-ups from the tree of objects.
func (m *Mapping) index() {
	m.fields, m.objects, m.copied = map[string]*Field{}, map[string]*object{}, map[string][]string{}
	m.nested = 0
	m.root.walk(func(o *object) {
		m.objects[o.path] = o
		if o.nested {
			m.nested++
		}
	}, func(f *Field) {
		m.fields[f.Name] = f
		m.names = append(m.names, f.Name)
		for _, to := range f.copyTo {
			m.copied[to] = append(m.copied[to], f.Name)
		}
	})
	m.root.aliases(func(path, target string) {
		if f := m.fields[target]; f != nil {
			m.fields[path] = f
		}
	})
	slices.Sort(m.names)
}

// EmptyObject is the mapping of an index that was created without one.
func emptyValue() jsonx.Value { return jsonx.MustParse("{}") }
