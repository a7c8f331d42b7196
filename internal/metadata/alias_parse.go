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
		case key == "filter" && (m.Kind() == jsonx.Object || m.Kind() == jsonx.String):
			if err := a.SetFilter(m); err != nil {
				return a, err
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
	return a, a.Check()
}

func scalar(v jsonx.Value) bool { return v.Kind() == jsonx.String || v.Kind() == jsonx.Number }

func isBool(v jsonx.Value) bool { _, ok := v.Bool(); return ok }

// SetFilter takes a filter, an object or one in a string; an empty one is none.
func (a *Alias) SetFilter(v jsonx.Value) error {
	if v.Kind() == jsonx.String {
		inner, err := jsonx.Parse([]byte(v.Text()))
		if err != nil {
			return eserr.FromSyntax(err)
		}
		v = inner
	}
	a.Filter = nil
	if v.Len() > 0 {
		a.Filter = jsonx.Compact(nil, v)
	}
	return nil
}

// Check refuses more than one routing for writes.
func (a *Alias) Check() error {
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
