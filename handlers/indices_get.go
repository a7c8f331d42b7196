package handlers

import (
	"context"
	"slices"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/metadata"
	"postern/internal/rest"
)

// IndicesGet shows whole indices.
func (i *Indices) IndicesGet(ctx context.Context, r *api.IndicesGetRequest) (routes.Answer, error) {
	o := expressions(metadata.ReadMetadata(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	indices, err := i.find(ctx, r.Index, o, metadata.ReadIndexMetadata)
	if err != nil {
		return nil, err
	}
	shows := func(f api.Feature) bool { return len(r.Features) == 0 || slices.Contains(r.Features, f) }
	return rawJSON(byIndex(nil, indices, func(dst []byte, ix *metadata.Index) []byte {
		var aliases []metadata.Alias
		if shows(api.FeatureAliases) {
			aliases = ix.Aliases
		}
		dst = append(dst, `{"aliases":`...)
		dst = metadata.AppendAliases(dst, aliases)
		dst = append(dst, `,"mappings":`...)
		if shows(api.FeatureMappings) {
			dst = ix.Mapping.AppendJSON(dst)
		} else {
			dst = append(dst, "{}"...)
		}
		dst = append(dst, ',')
		if shows(api.FeatureSettings) {
			dst = appendSettings(dst, ix, nil, deref(r.FlatSettings), deref(r.IncludeDefaults), rest.Human(ctx))
		} else {
			dst = append(dst, `"settings":{}`...)
		}
		return append(dst, '}')
	})), nil
}

// appendSettings appends the members "settings" and, if asked for, "defaults"; names keep
// the settings that match one of them.
func appendSettings(dst []byte, ix *metadata.Index, names []string, flat, defaults, human bool) []byte {
	part := func(s metadata.Settings) {
		if human {
			s = s.ForPeople()
		}
		if len(names) > 0 {
			s = s.Keep(names)
		}
		if flat {
			dst = s.AppendFlat(dst)
		} else {
			dst = s.AppendNested(dst)
		}
	}
	dst = append(dst, `"settings":`...)
	part(ix.Settings)
	if defaults {
		dst = append(dst, `,"defaults":`...)
		part(ix.Settings.Defaults())
	}
	return dst
}

// IndicesExists tells whether an expression leads to indices.
func (i *Indices) IndicesExists(ctx context.Context, r *api.IndicesExistsRequest) (routes.Answer, error) {
	o := expressions(metadata.ReadMetadata(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	_, err := i.find(ctx, r.Index, o, metadata.ReadIndexMetadata)
	if e, ok := eserr.As(err); ok && e.Status == 404 {
		return presence(false), nil
	}
	return presence(err == nil), err
}
