package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/metadata"
)

// IndicesPutAlias gives indices an alias.
func (i *Indices) IndicesPutAlias(ctx context.Context, r *api.IndicesPutAliasRequest) (routes.Answer, error) {
	switch {
	case r.Name == "":
		return nil, eserr.IllegalArgument("[alias] can't be empty string")
	case len(r.Index) == 0:
		return nil, eserr.IllegalArgument("[indices] can't be empty")
	}
	alias, err := metadata.ParseAlias(r.Name, r.Body, false)
	if err != nil {
		return nil, err
	}
	return i.updateAliases(ctx, []metadata.AliasAction{{Kind: metadata.AddAlias, Indices: r.Index, Aliases: []string{r.Name}, Alias: alias}})
}

// IndicesDeleteAlias takes aliases from indices.
func (i *Indices) IndicesDeleteAlias(ctx context.Context, r *api.IndicesDeleteAliasRequest) (routes.Answer, error) {
	return i.updateAliases(ctx, []metadata.AliasAction{{Kind: metadata.RemoveAlias, Indices: r.Index, Aliases: r.Name}})
}
