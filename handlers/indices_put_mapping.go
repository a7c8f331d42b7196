package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
)

// IndicesPutMapping adds to the mappings of indices.
func (i *Indices) IndicesPutMapping(ctx context.Context, r *api.IndicesPutMappingRequest) (routes.Answer, error) {
	if r.Body.Kind() != jsonx.Object {
		return nil, eserr.NotXContent()
	}
	if r.Body.Len() == 1 && r.Body.Get("_doc").Kind() == jsonx.Object {
		return nil, eserr.IllegalArgument("Types cannot be provided in put mapping requests")
	}
	o := expressions(metadata.ChangeMapping(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	indices, err := i.mapped(ctx, r, o)
	if err != nil {
		return nil, err
	}
	if err := i.Mutator.PutMapping(ctx, indices, r.Body); err != nil {
		return nil, err
	}
	return acknowledged(), nil
}

// mapped finds the indices whose mapping shall change: with write_index_only the one of
// each name that writes go to.
func (i *Indices) mapped(ctx context.Context, r *api.IndicesPutMappingRequest, o metadata.IndicesOptions) ([]*metadata.Index, error) {
	if !deref(r.WriteIndexOnly) {
		return i.find(ctx, r.Index, o, metadata.WriteIndexMetadata)
	}
	state, err := i.State(ctx)
	if err != nil {
		return nil, err
	}
	names, err := state.ResolveNames(r.Index, o)
	if err != nil {
		return nil, err
	}
	var indices []*metadata.Index
	seen := map[string]bool{}
	for _, name := range names {
		t, err := state.WriteIndex(name)
		if err != nil {
			return nil, err
		}
		if err := t.Index.Allow(metadata.WriteIndexMetadata); err != nil {
			return nil, err
		}
		if !seen[t.Index.Name] {
			seen[t.Index.Name] = true
			indices = append(indices, t.Index)
		}
	}
	return indices, nil
}
