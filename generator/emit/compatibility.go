package emit

import (
	"fmt"
	"strings"

	"postern/generator/ir"
	"postern/spec"
)

// Compatibility writes docs/compatibility.md: what is promised, made of support.yaml,
// and what was measured.
func Compatibility(m *spec.Model, s *spec.Support, p *ir.Program, runs []spec.Measured) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `# Compatibility

Made by the generator from spec/support.yaml and the Elasticsearch specification %s: do not edit.

What is not listed here is refused with an error that names it: an endpoint, a query, an aggregation or a
member with status 501, an unknown parameter or member as Elasticsearch words it. **full** is as Elasticsearch
has it, **partial** is so but for what is said, **ignored** is taken and has no effect, because it can have none, **decoded**
is read, its mistakes are complained of, and it is refused like the rest.

| | supported | of |
|---|---|---|
`, m.Version)
	fmt.Fprintf(&b, "| endpoints | %d | %d |\n", len(p.Endpoints), len(m.Endpoints))
	fmt.Fprintf(&b, "| method and path | %d | %d |\n", supportedRoutes(p), len(p.Routes))
	fmt.Fprintf(&b, "| queries | %d | %d |\n", len(s.Queries), kinds(m, "_types.query_dsl", "QueryContainer"))
	fmt.Fprintf(&b, "| aggregations | %d | %d |\n", len(s.Aggregations), kinds(m, "_types.aggregations", "AggregationContainer"))
	fmt.Fprintf(&b, "| field types | %d | %d |\n", len(s.Mappings), mappingTypes(m))

	measured(&b, runs)
	b.WriteString("\n## Endpoints\n")
	for _, name := range spec.Names(s.Endpoints) {
		endpoint(&b, m.Endpoint(name), s.Endpoints[name])
	}
	section(&b, "Queries", s.Queries)
	section(&b, "Aggregations", s.Aggregations)
	section(&b, "Field types", s.Mappings)
	refused(&b, p)
	return []byte(b.String())
}

func supportedRoutes(p *ir.Program) int {
	n := 0
	for _, r := range p.Routes {
		if r.Endpoint != nil {
			n++
		}
	}
	return n
}

// kinds counts the kinds of a container.
func kinds(m *spec.Model, namespace, name string) int {
	n := 0
	if t := m.Type(spec.Name{Namespace: namespace, Name: name}); t != nil {
		for _, p := range t.Properties {
			if !p.ContainerProperty {
				n++
			}
		}
	}
	return n
}

func mappingTypes(m *spec.Model) int {
	t := m.Type(spec.Name{Namespace: "_types.mapping", Name: "Property"})
	if t == nil || t.Type == nil {
		return 0
	}
	return len(t.Type.Items)
}

func endpoint(b *strings.Builder, e *spec.Endpoint, s spec.Entry) {
	fmt.Fprintf(b, "\n### %s\n\n%s", e.Name, state(s))
	var paths []string
	for _, u := range e.URLs {
		paths = append(paths, fmt.Sprintf("`%s %s`", strings.Join(u.Methods, "|"), u.Path))
	}
	fmt.Fprintf(b, " · %s\n", strings.Join(paths, ", "))
	members(b, "Parameters", s.URL)
	members(b, "Body", s.Body)
}

func section(b *strings.Builder, title string, entries map[string]spec.Entry) {
	fmt.Fprintf(b, "\n## %s\n\n| | |\n|---|---|\n", title)
	for _, name := range spec.Names(entries) {
		e := entries[name]
		text := state(e)
		for _, list := range memberLists(e.Members) {
			text += "<br>" + list
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", name, text)
	}
}

func members(b *strings.Builder, title string, entries map[string]spec.Entry) {
	for i, list := range memberLists(entries) {
		if i == 0 {
			fmt.Fprintf(b, "\n%s: ", title)
		} else {
			b.WriteString("; ")
		}
		b.WriteString(list)
	}
	if len(entries) > 0 {
		b.WriteString("\n")
	}
}

// memberLists puts members of one state together; those with a reason of their own
// stand with it.
func memberLists(entries map[string]spec.Entry) []string {
	var order []string
	byState := map[string][]string{}
	for _, name := range spec.Names(entries) {
		key := state(entries[name])
		if byState[key] == nil {
			order = append(order, key)
		}
		byState[key] = append(byState[key], "`"+name+"`")
	}
	var out []string
	for _, key := range order {
		out = append(out, key+": "+strings.Join(byState[key], ", "))
	}
	return out
}

func state(e spec.Entry) string {
	if e.Why == "" {
		return "**" + e.State.String() + "**"
	}
	return "**" + e.State.String() + "** (" + e.Why + ")"
}

// refused lists the endpoints that answer 501, by the first part of their names.
func refused(b *strings.Builder, p *ir.Program) {
	groups := map[string]map[string]bool{}
	for _, r := range p.Routes {
		if r.Endpoint != nil {
			continue
		}
		for _, n := range r.Names {
			group, _, dotted := strings.Cut(n, ".")
			if !dotted {
				group = "(core)"
			}
			if groups[group] == nil {
				groups[group] = map[string]bool{}
			}
			groups[group][n] = true
		}
	}
	b.WriteString("\n## Refused endpoints\n\n")
	for _, g := range sorted(groups) {
		fmt.Fprintf(b, "- %s: %s\n", g, strings.Join(sorted(groups[g]), ", "))
	}
}
