package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/metadata"
)

// IndicesGetMapping shows the mappings of indices.
func (i *Indices) IndicesGetMapping(ctx context.Context, r *api.IndicesGetMappingRequest) (routes.Answer, error) {
	o := expressions(metadata.ReadMetadata(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	indices, err := i.find(ctx, r.Index, o, metadata.ReadIndexMetadata)
	if err != nil {
		return nil, err
	}
	return rawJSON(byIndex(nil, indices, func(dst []byte, ix *metadata.Index) []byte {
		dst = append(dst, `{"mappings":`...)
		dst = ix.Mapping.AppendJSON(dst)
		return append(dst, '}')
	})), nil
}
