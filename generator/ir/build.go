package ir

import (
	"errors"
	"fmt"
	"sort"

	"postern/spec"
)

// roots are the containers whose reach makes a package of its own; each package may
// use those before it.
var roots = []struct{ pkg, container string }{
	{"query", "_types.query_dsl:QueryContainer"},
	{"aggs", "_types.aggregations:AggregationContainer"},
	{"api", ""},
}

// Build reduces a specification to what is promised of it.
func Build(m *spec.Model, support *spec.Support, amended *spec.Amended) (*Program, error) {
	b := &builder{
		model: m, support: support, amended: amended,
		decls: map[string]*Decl{}, used: map[string]bool{}, taken: map[string]*Decl{},
		out: &Program{Version: m.Version},
	}
	for _, r := range roots {
		b.pkg = &Package{Name: r.pkg}
		b.out.Packages = append(b.out.Packages, b.pkg)
		if r.container == "" {
			b.endpoints()
			b.also()
			continue
		}
		if t := b.model.Type(parseName(r.container)); t != nil {
			b.ref(t, nil, r.container)
		}
	}
	b.answers()
	b.routes()
	b.unmatched()
	for _, p := range b.out.Packages {
		sort.Slice(p.Decls, func(i, j int) bool { return p.Decls[i].Go < p.Decls[j].Go })
	}
	return b.out, errors.Join(b.errs...)
}

// also declares the types that only a handler reaches.
func (b *builder) also() {
	for _, full := range keys(b.amended.Also) {
		if t := b.model.Type(parseName(full)); t != nil {
			b.used["also "+full] = true
			b.ref(t, nil, full)
		}
	}
}

type builder struct {
	model   *spec.Model
	support *spec.Support
	amended *spec.Amended
	out     *Program
	pkg     *Package
	decls   map[string]*Decl // by full name and type arguments
	taken   map[string]*Decl // by package and Go name
	used    map[string]bool  // lines of amendments.yaml and support.yaml that matched
	errs    []error
}

func (b *builder) fail(err error) { b.errs = append(b.errs, err) }

func (b *builder) unsupported(where, format string, a ...any) {
	b.fail(&Unsupported{Where: where, What: fmt.Sprintf(format, a...)})
}

// kind is a kind of a query or an aggregation: the key of its container.
type kind struct {
	container string
	key       string
	entries   map[string]spec.Entry
}

// kindOf finds the query or aggregation that a type holds the body of.
func (b *builder) kindOf(name spec.Name) (kind, bool) {
	for i, entries := range []map[string]spec.Entry{b.support.Queries, b.support.Aggregations} {
		t := b.model.Type(parseName(roots[i].container))
		if t == nil {
			continue
		}
		for _, p := range t.Properties {
			if target := element(p.Type); target != nil && *target == name {
				return kind{roots[i].container, p.Name, entries}, true
			}
		}
	}
	return kind{}, false
}

// promise is what support.yaml says of a type's members. A query clause and an
// aggregation are found by the key of their container, other types by their name.
func (b *builder) promise(name spec.Name) spec.Entry {
	if k, ok := b.kindOf(name); ok {
		if e, ok := k.entries[k.key]; ok {
			return e
		}
	}
	if e, ok := b.support.Types[name.String()]; ok {
		b.used["types "+name.String()] = true
		return e
	}
	return spec.Entry{State: spec.Full}
}

// element is the named type that a container's member leads to, through the braces
// of a dictionary with one field.
func element(v *spec.Value) *spec.Name {
	switch v.Kind {
	case spec.InstanceOf:
		return &v.Type
	case spec.DictionaryOf:
		return element(v.Value)
	}
	return nil
}

func parseName(full string) spec.Name {
	for i := len(full) - 1; i >= 0; i-- {
		if full[i] == ':' {
			return spec.Name{Namespace: full[:i], Name: full[i+1:]}
		}
	}
	return spec.Name{Name: full}
}
