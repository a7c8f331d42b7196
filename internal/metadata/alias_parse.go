package metadata

import (
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// ParseAlias reads an alias's properties. What it does not know is refused when strict
// (as in the body of a create index request) and passed over otherwise.
func ParseAlias(name string, v jsonx.Value, strict bool) (Alias, error) {
	a := Alias{Name: name}
	for k, m := range v.Members() {
		key := k.Text()
		switch {
		case m.Kind() == jsonx.Object && key == "filter":
			if m.Len() > 0 {
				a.Filter = jsonx.Compact(nil, m)
			}
		case key == "filter" && m.Kind() == jsonx.String:
			inner, err := jsonx.Parse([]byte(m.Text()))
			if err != nil {
				return a, eserr.FromSyntax(err)
			}
			if inner.Len() > 0 {
				a.Filter = jsonx.Compact(nil, inner)
			}
		case key == "routing" && scalar(m):
			a.IndexRouting, a.SearchRouting = m.Text(), m.Text()
		case (key == "index_routing" || key == "indexRouting" || key == "index-routing") && scalar(m):
			a.IndexRouting = m.Text()
		case (key == "search_routing" || key == "searchRouting" || key == "search-routing") && scalar(m):
			a.SearchRouting = m.Text()
		case key == "is_write_index" && isBool(m):
			b, _ := m.Bool()
			a.IsWriteIndex = &b
		case key == "is_hidden" && isBool(m):
			b, _ := m.Bool()
			a.IsHidden = &b
		case m.Kind() == jsonx.Null:
		case strict:
			return a, eserr.IllegalArgument("Unknown field [%s] in alias [%s]", key, name)
		}
	}
	return a, a.check()
}

func scalar(v jsonx.Value) bool { return v.Kind() == jsonx.String || v.Kind() == jsonx.Number }

func isBool(v jsonx.Value) bool { _, ok := v.Bool(); return ok }

// check refuses more than one routing for writes.
func (a *Alias) check() error {
	if strings.Contains(a.IndexRouting, ",") {
		return eserr.IllegalArgument("alias [%s] has several index routing values associated with it", a.Name)
	}
	return nil
}

// parseAliases reads an object of aliases by name, sorted by name.
func parseAliases(v jsonx.Value, strict bool) ([]Alias, error) {
	var list []Alias
	for k, m := range v.Members() {
		a, err := ParseAlias(k.Text(), m, strict)
		if err != nil {
			return nil, err
		}
		list = putAlias(list, a)
	}
	return list, nil
}
