package handlers

import (
	"slices"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/xcontent"
)

// parseAliasActions reads the body of an aliases request, complaining as Elasticsearch's
// parsers [aliases], [alias_action] and [add] do.
func parseAliasActions(v jsonx.Value) ([]metadata.AliasAction, error) {
	p := xcontent.Parser{Style: xcontent.Object, Name: "aliases"}
	if err := p.Start(v); err != nil {
		return nil, err
	}
	var actions []metadata.AliasAction
	for k, m := range v.Members() {
		if !k.Is("actions") {
			return nil, p.Unknown(k, m, []string{"actions"})
		}
		if m.Kind() != jsonx.Array {
			return nil, p.Wrong(k, m)
		}
		for e := range m.Elements() {
			a, err := parseAliasAction(e)
			if err != nil {
				return nil, p.Fail(k, e, err)
			}
			actions = append(actions, a)
		}
		if err := checkAliasActions(actions); err != nil {
			line, col := m.EndPos()
			return nil, eserr.XContentParse(line, col, "[aliases] failed to parse field [actions]").Cause(err)
		}
	}
	return actions, nil
}

func parseAliasAction(v jsonx.Value) (metadata.AliasAction, error) {
	p := xcontent.Parser{Style: xcontent.Object, Name: "alias_action"}
	var a metadata.AliasAction
	if err := p.Start(v); err != nil {
		return a, err
	}
	kinds := map[string]metadata.AliasActionKind{"add": metadata.AddAlias, "remove": metadata.RemoveAlias, "remove_index": metadata.RemoveIndex}
	seen := false
	for k, m := range v.Members() {
		kind, known := kinds[k.Text()]
		if !known {
			return a, p.Unknown(k, m, []string{"add", "remove", "remove_index"})
		}
		if m.Kind() != jsonx.Object {
			return a, p.Wrong(k, m)
		}
		if seen {
			return a, &eserr.Error{Status: 400, Type: "x_content_parse_exception", Reason: "Failed to build [alias_action] after last required field arrived",
				CausedBy: eserr.IllegalArgument("Too many operations declared on operation entry")}
		}
		seen = true
		a.Kind = kind
		if err := parseAliasFields(&a, m); err != nil {
			return a, p.Fail(k, m, err)
		}
	}
	if !seen {
		line, col := v.EndPos()
		return a, eserr.XContentParse(line, col, "Required one of fields [add, remove, remove_index], but none were specified. ")
	}
	return a, nil
}

// parseAliasFields reads what stands inside of add, remove or remove_index.
func parseAliasFields(a *metadata.AliasAction, v jsonx.Value) error {
	p := xcontent.Parser{Style: xcontent.Object, Name: a.Kind.String()}
	known := []string{"index", "indices", "alias", "aliases", "must_exist"}
	if a.Kind == metadata.AddAlias {
		known = append(known, "filter", "routing", "index_routing", "search_routing", "is_write_index", "is_hidden")
	}
	if a.Kind == metadata.RemoveIndex {
		known = []string{"index", "indices", "must_exist"}
	}
	routing := "" // stands for whichever of the two special ones is not there
	for k, m := range v.Members() {
		name := canonicalAliasField(k.Text())
		if !slices.Contains(known, name) {
			return p.Unknown(k, m, known)
		}
		if !aliasFieldTakes(name).Has(xcontent.TokenOf(m)) {
			return p.Wrong(k, m)
		}
		if name == "routing" {
			routing = m.Text()
		}
		err := setAliasField(a, name, m)
		if cause, ok := eserr.As(err); ok && m.Kind() == jsonx.Array {
			// A list has been read to its end before anything is found wrong with it.
			line, col := m.EndPos()
			return eserr.XContentParse(line, col, "[%s] failed to parse field [%s]", p.Name, name).Cause(cause)
		}
		if err != nil {
			return p.Fail(k, m, err)
		}
	}
	if a.Alias.IndexRouting == "" {
		a.Alias.IndexRouting = routing
	}
	if a.Alias.SearchRouting == "" {
		a.Alias.SearchRouting = routing
	}
	return nil
}

// canonicalAliasField gives the name that stands for an older spelling.
func canonicalAliasField(name string) string {
	switch name {
	case "indexRouting", "index-routing":
		return "index_routing"
	case "searchRouting", "search-routing":
		return "search_routing"
	}
	return name
}

func aliasFieldTakes(name string) xcontent.Tokens {
	switch name {
	case "indices", "aliases":
		return xcontent.Strings | xcontent.Arrays
	case "filter":
		return xcontent.Objects | xcontent.Strings
	case "is_write_index", "is_hidden", "must_exist":
		return xcontent.Bools | xcontent.Strings
	case "routing", "index_routing", "search_routing":
		return xcontent.Strings | xcontent.Numbers
	}
	return xcontent.Strings
}

func setAliasField(a *metadata.AliasAction, name string, v jsonx.Value) error {
	switch name {
	case "index", "indices":
		if a.Indices != nil {
			return eserr.IllegalArgument("Only one of [index] and [indices] is supported")
		}
		return xcontent.OneOrMany(&a.Indices, v, xcontent.Text)
	case "alias", "aliases":
		if a.Aliases != nil {
			return eserr.IllegalArgument("Only one of [alias] and [aliases] is supported")
		}
		return xcontent.OneOrMany(&a.Aliases, v, xcontent.Text)
	case "filter":
		return a.Alias.SetFilter(v)
	case "index_routing":
		a.Alias.IndexRouting = v.Text()
	case "search_routing":
		a.Alias.SearchRouting = v.Text()
	case "is_write_index":
		return xcontent.Opt(&a.Alias.IsWriteIndex, v, xcontent.Bool)
	case "is_hidden":
		return xcontent.Opt(&a.Alias.IsHidden, v, xcontent.Bool)
	case "must_exist":
		return xcontent.Opt(&a.MustExist, v, xcontent.Bool)
	}
	return nil
}

// checkAliasActions checks that each action says what and where.
func checkAliasActions(actions []metadata.AliasAction) *eserr.Error {
	for _, a := range actions {
		switch {
		case len(a.Indices) == 0:
			return eserr.IllegalArgument("One of [index] or [indices] is required")
		case len(a.Aliases) == 0 && a.Kind != metadata.RemoveIndex:
			return eserr.IllegalArgument("One of [alias] or [aliases] is required")
		}
	}
	return nil
}
