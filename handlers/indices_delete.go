package handlers

import (
	"context"
	"strings"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/metadata"
)

// IndicesDelete removes indices, which must be named: action.destructive_requires_name.
func (i *Indices) IndicesDelete(ctx context.Context, r *api.IndicesDeleteRequest) (routes.Answer, error) {
	if len(r.Index) == 0 {
		return nil, eserr.IllegalArgument("Wildcard expressions or all indices are not allowed")
	}
	for _, name := range r.Index {
		if name == "_all" || strings.Contains(name, "*") {
			return nil, eserr.IllegalArgument("Wildcard expressions or all indices are not allowed")
		}
	}
	o := expressions(metadata.DeleteIndices(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	indices, err := i.find(ctx, r.Index, o, metadata.WriteIndexMetadata)
	if err != nil {
		return nil, err
	}
	if err := i.Mutator.DeleteIndices(ctx, indices); err != nil {
		return nil, err
	}
	for _, ix := range indices {
		i.Contexts.CloseIndex(ix.UUID)
	}
	return acknowledged(), nil
}
