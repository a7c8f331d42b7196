package promises

import (
	"bytes"
	"net/url"
	"strings"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
	"postern/spec"
)

// Finder finds what recordings exercise.
type Finder struct {
	support *spec.Support
	routes  []route
}

// NewFinder returns a finder of the promises in s, over the paths of m.
func NewFinder(m *spec.Model, s *spec.Support) *Finder {
	return &Finder{support: s, routes: routes(m)}
}

// Exercised returns the lines that r's requests name: endpoints with their parameters and
// body members, queries, aggregations and mapping types with their members. It goes by
// where names stand in a request.
func (f *Finder) Exercised(r *recording.Recording) map[string]bool {
	seen := map[string]bool{}
	for _, line := range r.Covers {
		seen[line] = true
	}
	for _, x := range r.Exchanges {
		f.exchange(seen, x.Request)
	}
	return seen
}

func (f *Finder) exchange(seen map[string]bool, q recording.Request) {
	path, query, _ := strings.Cut(q.Target, "?")
	steps := strings.Split(strings.Trim(path, "/"), "/")
	name, best := "", -1
	for _, r := range f.routes {
		if n := r.match(q.Method, steps); n > best {
			name, best = r.endpoint, n
		}
	}
	if best < 0 {
		return
	}
	line := "endpoint " + name
	seen[line] = true
	if parameters, err := url.ParseQuery(query); err == nil {
		for p := range parameters {
			seen[line+" url "+p] = true
		}
	}
	if isDocument[name] {
		return
	}
	for _, part := range bodies(q) {
		if o, ok := part.(jsontree.Object); ok {
			for _, m := range o {
				seen[line+" body "+m.Name] = true
			}
		}
		f.value(seen, part)
	}
}

// isDocument names the endpoints whose bodies are the application's documents.
var isDocument = map[string]bool{"index": true, "create": true, "bulk": true}

func bodies(q recording.Request) []jsontree.Value {
	if v, err := jsontree.Parse(q.Body); err == nil {
		return []jsontree.Value{v}
	}
	var list []jsontree.Value
	for line := range bytes.Lines(q.Body) {
		if v, err := jsontree.Parse(line); err == nil {
			list = append(list, v)
		}
	}
	return list
}

func (f *Finder) value(seen map[string]bool, v jsontree.Value) {
	switch v := v.(type) {
	case jsontree.Array:
		for _, e := range v {
			f.value(seen, e)
		}
	case jsontree.Object:
		if kind, ok := v.Get("type"); ok {
			if kind, ok := kind.(string); ok {
				mark(seen, "mapping "+kind, f.support.Mappings[kind], v)
			}
		}
		for _, m := range v {
			if m.Name == "aggs" || m.Name == "aggregations" {
				f.aggregations(seen, m.Value)
			}
			if e, ok := f.support.Queries[m.Name]; ok {
				mark(seen, "query "+m.Name, e, m.Value)
			}
			f.value(seen, m.Value)
		}
	}
}

func (f *Finder) aggregations(seen map[string]bool, v jsontree.Value) {
	named, _ := v.(jsontree.Object)
	for _, m := range named {
		kinds, _ := m.Value.(jsontree.Object)
		for _, k := range kinds {
			if e, ok := f.support.Aggregations[k.Name]; ok {
				mark(seen, "aggregation "+k.Name, e, k.Value)
			}
		}
	}
}

// mark notes line and the members of e that v has, itself or one level down, where the
// clauses that name a field have them.
func mark(seen map[string]bool, line string, e spec.Entry, v jsontree.Value) {
	seen[line] = true
	o, _ := v.(jsontree.Object)
	for _, m := range o {
		if _, ok := e.Members[m.Name]; ok {
			seen[line+" "+m.Name] = true
		}
		inner, _ := m.Value.(jsontree.Object)
		for _, n := range inner {
			if _, ok := e.Members[n.Name]; ok {
				seen[line+" "+n.Name] = true
			}
		}
	}
}
