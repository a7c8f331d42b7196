package handlers

import (
	"context"
	"slices"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/metadata"
	"postern/internal/rest"
)

// IndicesGetSettings shows the settings of indices.
func (i *Indices) IndicesGetSettings(ctx context.Context, r *api.IndicesGetSettingsRequest) (routes.Answer, error) {
	o := expressions(metadata.ReadSettings(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	indices, err := i.find(ctx, r.Index, o, metadata.ReadIndexMetadata)
	if err != nil {
		return nil, err
	}
	names := r.Name
	if slices.Contains(names, "_all") || slices.Contains(names, "*") {
		names = nil
	}
	defaults := deref(r.IncludeDefaults)
	// An index of which no setting matches is left out.
	indices = slices.DeleteFunc(indices, func(ix *metadata.Index) bool {
		return len(names) > 0 && ix.Settings.Keep(names).Len() == 0 && (!defaults || ix.Settings.Defaults().Keep(names).Len() == 0)
	})
	return rawJSON(byIndex(nil, indices, func(dst []byte, ix *metadata.Index) []byte {
		dst = appendSettings(append(dst, '{'), ix, names, deref(r.FlatSettings), defaults, rest.Human(ctx))
		return append(dst, '}')
	})), nil
}
