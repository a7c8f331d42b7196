package handlers

import (
	"context"
	"strings"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/xcontent"
)

// IndicesPutAlias gives indices an alias. The body may name either, in place of the path.
func (i *Indices) IndicesPutAlias(ctx context.Context, r *api.IndicesPutAliasRequest) (routes.Answer, error) {
	name, indices := r.Name, r.Index
	var writes *bool
	for k, m := range r.Body.Members() {
		if m.Kind() == jsonx.Object || m.Kind() == jsonx.Null {
			continue
		}
		switch k.Text() {
		case "alias":
			name = m.Text()
		case "index":
			indices = splitList(m)
		case "is_write_index":
			if m.Kind() != jsonx.Array {
				if err := xcontent.Opt(&writes, m, xcontent.Bool); err != nil {
					return nil, err
				}
			}
		}
	}
	alias, err := metadata.ParseAlias(name, r.Body, false)
	alias.IsWriteIndex = writes
	switch {
	case err != nil:
		return nil, err
	case len(indices) == 0:
		return nil, eserr.IllegalArgument("[indices] can't be empty")
	case name == "":
		return nil, eserr.IllegalArgument("[alias] can't be empty string")
	}
	return i.updateAliases(ctx, []metadata.AliasAction{{Kind: metadata.AddAlias, Indices: indices, Aliases: []string{name}, Alias: alias}})
}

// splitList reads names with commas between them; of a list of such the last counts.
func splitList(v jsonx.Value) []string {
	for e := range v.Elements() {
		v = e
	}
	if v.Kind() == jsonx.Array {
		return nil
	}
	return strings.FieldsFunc(v.Text(), func(r rune) bool { return r == ',' })
}

// IndicesDeleteAlias takes aliases from indices.
func (i *Indices) IndicesDeleteAlias(ctx context.Context, r *api.IndicesDeleteAliasRequest) (routes.Answer, error) {
	return i.updateAliases(ctx, []metadata.AliasAction{{Kind: metadata.RemoveAlias, Indices: r.Index, Aliases: r.Name}})
}
