// Package promises tells which lines of spec/support.yaml a recording exercises.
package promises

import (
	"slices"
	"strings"

	"postern/spec"
)

// Lines returns the promises of support.yaml: an entry for each line that is full or partial,
// `endpoint search`, `endpoint search url size`, `query term`, `query term value`.
func Lines(s *spec.Support) []string {
	var lines []string
	add := func(line string, e spec.Entry) {
		if e.State == spec.Full || e.State == spec.Partial {
			lines = append(lines, line)
		}
	}
	for name, e := range s.Endpoints {
		line := "endpoint " + name
		add(line, e)
		for parameter, p := range e.URL {
			add(line+" url "+parameter, p)
		}
		for member, m := range e.Body {
			add(line+" body "+member, m)
		}
	}
	for kind, entries := range map[string]map[string]spec.Entry{"query": s.Queries, "aggregation": s.Aggregations, "mapping": s.Mappings} {
		for name, e := range entries {
			add(kind+" "+name, e)
			for member, m := range e.Members {
				add(kind+" "+name+" "+member, m)
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// route finds the endpoints that a request may belong to.
type route struct {
	endpoint string
	method   string
	steps    []string
}

func routes(m *spec.Model) []route {
	var list []route
	for _, e := range m.Endpoints {
		for _, u := range e.URLs {
			for _, method := range u.Methods {
				list = append(list, route{e.Name, method, strings.Split(strings.Trim(u.Path, "/"), "/")})
			}
		}
	}
	return list
}

// match says how many steps of the path the route names literally; -1 if it is another path.
func (r route) match(method string, steps []string) int {
	if r.method != method || len(r.steps) != len(steps) {
		return -1
	}
	literal := 0
	for i, s := range r.steps {
		switch {
		case s == steps[i]:
			literal++
		case !strings.HasPrefix(s, "{") || strings.HasPrefix(steps[i], "_") && steps[i] != "_all" && i == 0:
			return -1
		}
	}
	return literal
}
