package ir

import (
	"sort"
	"strings"

	"postern/spec"
)

// unmatched fails for every line of ours that matched nothing.
func (b *builder) unmatched() {
	check := func(file, line string) {
		if !b.used[line] {
			b.fail(&Unmatched{File: file, Line: line})
		}
	}
	a := b.amended
	for _, n := range keys(a.Numbers) {
		check("amendments.yaml", "numbers "+n)
	}
	for _, n := range keys(a.Raw) {
		check("amendments.yaml", "raw "+n)
	}
	for _, n := range keys(a.Absorbed) {
		check("amendments.yaml", "absorbed "+n)
	}
	for _, n := range keys(a.Distinct) {
		check("amendments.yaml", "distinct "+n)
	}
	for _, n := range keys(a.Names) {
		check("amendments.yaml", "names "+n)
	}
	for _, n := range keys(a.Enums) {
		check("amendments.yaml", "enums "+n)
	}
	for _, n := range keys(a.Routes) {
		check("amendments.yaml", "routes "+n)
	}
	for _, n := range keys(a.Bodies) {
		check("amendments.yaml", "bodies "+n)
	}
	for _, n := range keys(a.Parameters) {
		check("amendments.yaml", "parameters "+n)
	}
	for _, n := range keys(a.URL) {
		check("amendments.yaml", "url "+n)
	}
	for _, n := range keys(a.Unasked) {
		check("amendments.yaml", "unasked "+n)
	}
	for _, n := range keys(a.Needs) {
		check("amendments.yaml", "needs "+n)
	}
	for _, n := range keys(a.NeedsPath) {
		check("amendments.yaml", "needs_path "+n)
	}
	for _, n := range keys(a.Truncated) {
		check("amendments.yaml", "truncated "+n)
	}
	for _, n := range keys(a.Also) {
		check("amendments.yaml", "also "+n)
	}
	for _, n := range keys(a.Answers) {
		check("amendments.yaml", "answers "+n)
	}
	for _, n := range keys(a.Parsers) {
		check("amendments.yaml", "parsers "+n)
		for _, m := range keys(a.Parsers[n].Members) {
			check("amendments.yaml", "parsers "+n+" "+m)
		}
		for _, m := range keys(a.Parsers[n].Required) {
			if m != "*" {
				check("amendments.yaml", "parsers "+n+" required "+m)
			}
		}
	}
	s := b.support
	for _, n := range spec.Names(s.Types) {
		check("support.yaml", "types "+n)
	}
	for _, n := range spec.Names(s.Endpoints) {
		for _, p := range spec.Names(s.Endpoints[n].URL) {
			check("support.yaml", "endpoints "+n+" url "+p)
		}
		for _, p := range spec.Names(s.Endpoints[n].Body) {
			check("support.yaml", "endpoints "+n+" body "+p)
		}
	}
	b.unmatchedKinds("queries", roots[0].container, s.Queries)
	b.unmatchedKinds("aggregations", roots[1].container, s.Aggregations)
	b.unmatchedMappings()
}

// unmatchedKinds checks the lines for a container's kinds and their members.
func (b *builder) unmatchedKinds(section, container string, entries map[string]spec.Entry) {
	t := b.model.Type(parseName(container))
	for _, n := range spec.Names(entries) {
		p := property(t, n)
		if p == nil {
			b.fail(&Unmatched{File: "support.yaml", Line: section + " " + n})
			continue
		}
		target := b.model.Type(*element(p.Type))
		for _, m := range spec.Names(entries[n].Members) {
			if target == nil || !b.has(target, m) {
				b.fail(&Unmatched{File: "support.yaml", Line: section + " " + n + " " + m})
			}
		}
	}
}

func property(t *spec.Type, name string) *spec.Property {
	if t == nil {
		return nil
	}
	for _, p := range t.Properties {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func (b *builder) has(t *spec.Type, member string) bool {
	if t.Kind == spec.Alias && t.Variants != nil && t.Variants.UntypedName != nil {
		t = b.model.Type(*t.Variants.UntypedName)
	}
	for _, p := range b.properties(t, nil, "") {
		if p.Name == member {
			return true
		}
	}
	return false
}

// unmatchedMappings checks the mapping types against the tags of the specification's
// properties; what they mean is internal/mapping's business.
func (b *builder) unmatchedMappings() {
	known := b.mappingTypes()
	for _, n := range spec.Names(b.support.Mappings) {
		if !known[n] {
			b.fail(&Unmatched{File: "support.yaml", Line: "mappings " + n})
		}
	}
}

// mappingTypes are the values of the tag that tells the specification's properties
// apart.
func (b *builder) mappingTypes() map[string]bool {
	known := map[string]bool{}
	t := b.model.Type(parseName("_types.mapping:Property"))
	if t == nil || t.Type == nil {
		return known
	}
	for _, it := range t.Type.Items {
		if p := property(b.model.Type(it.Type), "type"); p != nil && p.Type.Kind == spec.Literal {
			if s, ok := p.Type.Literal.(string); ok {
				known[strings.TrimSpace(s)] = true
			}
		}
	}
	return known
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
