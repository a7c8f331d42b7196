package handlers

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
)

// IndicesGetAlias shows aliases by index.
func (i *Indices) IndicesGetAlias(ctx context.Context, r *api.IndicesGetAliasRequest) (routes.Answer, error) {
	o := expressions(metadata.ReadAliases(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	indices, err := i.find(ctx, r.Index, o, metadata.ReadIndexMetadata)
	if err != nil {
		return nil, err
	}
	return findAliases(indices, r.Name), nil
}

// IndicesExistsAlias tells whether aliases are there.
func (i *Indices) IndicesExistsAlias(ctx context.Context, r *api.IndicesExistsAliasRequest) (routes.Answer, error) {
	o := expressions(metadata.ReadAliases(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	indices, err := i.find(ctx, r.Index, o, metadata.ReadIndexMetadata)
	if e, ok := eserr.As(err); ok && e.Status == http.StatusNotFound {
		return presence(false), nil
	}
	if err != nil {
		return nil, err
	}
	return presence(findAliases(indices, r.Name).missing == nil), nil
}

// foundAliases is the answer of a read of aliases. Aliases that were asked for by name and
// are missing make it a 404, which still shows the others.
type foundAliases struct {
	indices []*metadata.Index
	aliases [][]metadata.Alias
	missing []string // sorted
}

func findAliases(indices []*metadata.Index, names []string) *foundAliases {
	f := &foundAliases{}
	returned := map[string]bool{}
	for _, ix := range indices {
		var kept []metadata.Alias
		for _, a := range ix.Aliases {
			if len(names) == 0 || aliasMatches(names, a.Name) {
				kept = append(kept, a)
				returned[a.Name] = true
			}
		}
		if len(kept) > 0 || len(names) == 0 {
			f.indices, f.aliases = append(f.indices, ix), append(f.aliases, kept)
		}
	}
	wild := slices.IndexFunc(names, isPattern)
	if wild < 0 {
		wild = len(names)
	}
	for n, name := range names {
		if name == "_all" || isPattern(name) || n > wild && strings.HasPrefix(name, "-") {
			continue // only names are called missing
		}
		if !excludedLater(names, n, wild) && !returned[name] && !slices.Contains(f.missing, name) {
			f.missing = append(f.missing, name)
		}
	}
	slices.Sort(f.missing)
	return f
}

func isPattern(name string) bool { return strings.Contains(name, "*") }

// excludedLater tells that a name is taken back by a later "-pattern".
func excludedLater(names []string, n, wild int) bool {
	for _, other := range names[min(len(names), max(n+1, wild)):] {
		if pattern, ok := strings.CutPrefix(other, "-"); ok && (pattern == "_all" || metadata.MatchWildcard(pattern, names[n])) {
			return true
		}
	}
	return false
}

// aliasMatches reads the patterns in order: each adds what it matches, one behind a minus
// takes it away.
func aliasMatches(patterns []string, name string) bool {
	matched := false
	for _, p := range patterns {
		rest, minus := strings.CutPrefix(p, "-")
		switch hit := rest == "_all" || metadata.MatchWildcard(rest, name); {
		case minus && hit:
			matched = false
		case hit:
			matched = true
		}
	}
	return matched
}

// Status is 404 when an alias is missing.
func (f *foundAliases) Status() int {
	if len(f.missing) > 0 {
		return http.StatusNotFound
	}
	return http.StatusOK
}

// AppendJSON appends the aliases by index, behind what is missing.
func (f *foundAliases) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if n := len(f.missing); n > 0 {
		text := "alias [" + f.missing[0] + "] missing"
		if n > 1 {
			text = "aliases [" + strings.Join(f.missing, ",") + "] missing"
		}
		dst = append(dst, `"error":`...)
		dst = jsonx.AppendString(dst, text)
		dst = append(dst, `,"status":`...)
		dst = strconv.AppendInt(dst, http.StatusNotFound, 10)
	}
	for n, ix := range f.indices {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, ix.Name), `:{"aliases":`...)
		dst = metadata.AppendAliases(dst, f.aliases[n])
		dst = append(dst, '}')
	}
	return append(dst, '}')
}
