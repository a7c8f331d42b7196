package handlers

import (
	"context"
	"slices"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/metadata"
)

// IndicesResolveIndex tells what an index expression leads to.
func (i *Indices) IndicesResolveIndex(ctx context.Context, r *api.IndicesResolveIndexRequest) (routes.Answer, error) {
	o := expressions(metadata.ReadMetadata(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	state, err := i.State(ctx)
	if err != nil {
		return nil, err
	}
	names, err := state.ResolveNames(r.Name, o)
	if err != nil {
		return nil, err
	}
	a := &answer.ResolveIndex{Indices: []answer.ResolvedIndex{}, Aliases: []answer.ResolvedAlias{}}
	for _, name := range names {
		if ix := state.Index(name); ix != nil {
			a.Indices = append(a.Indices, resolvedIndex(ix))
			continue
		}
		alias := answer.ResolvedAlias{Name: name}
		for _, ix := range state.Alias(name) {
			alias.Indices = append(alias.Indices, ix.Name)
		}
		a.Aliases = append(a.Aliases, alias)
	}
	return a, nil
}

func resolvedIndex(ix *metadata.Index) answer.ResolvedIndex {
	r := answer.ResolvedIndex{Name: ix.Name, Attributes: []string{"open"}}
	if ix.Closed {
		r.Attributes[0] = "closed"
	}
	if ix.Hidden() {
		r.Attributes = append(r.Attributes, "hidden")
		slices.Sort(r.Attributes)
	}
	for _, a := range ix.Aliases {
		r.Aliases = append(r.Aliases, a.Name)
	}
	return r
}
