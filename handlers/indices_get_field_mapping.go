package handlers

import (
	"context"
	"net/http"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/jsonx"
	"postern/internal/metadata"
)

// IndicesGetFieldMapping shows the mappings of single fields.
func (i *Indices) IndicesGetFieldMapping(ctx context.Context, r *api.IndicesGetFieldMappingRequest) (routes.Answer, error) {
	o := expressions(metadata.ReadMetadata(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	indices, err := i.find(ctx, r.Index, o, metadata.ReadIndexMetadata)
	if err != nil {
		return nil, err
	}
	if len(indices) == 0 {
		return noMappings{rawJSON("{}")}, nil
	}
	return rawJSON(byIndex(nil, indices, func(dst []byte, ix *metadata.Index) []byte {
		dst = append(dst, `{"mappings":{`...)
		for n, name := range metadata.HashOrder(ix.Mapping.LeafNames(r.Fields)) {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonx.AppendString(dst, name), `:{"full_name":`...)
			dst = append(jsonx.AppendString(dst, name), `,"mapping":`...)
			dst = append(ix.Mapping.AppendLeaf(dst, name), '}')
		}
		return append(dst, "}}"...)
	})), nil
}

// noMappings is the answer about a pattern that no index matches.
type noMappings struct{ rawJSON }

func (noMappings) Status() int { return http.StatusNotFound }
