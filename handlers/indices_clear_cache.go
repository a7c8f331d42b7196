package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/metadata"
)

// IndicesClearCache drops kept answers, of all indices at once: they are found by what was
// asked. Columns are no cache, and stay; there is no other.
func (i *Indices) IndicesClearCache(ctx context.Context, r *api.IndicesClearCacheRequest) (routes.Answer, error) {
	o := expressions(metadata.SearchIndices(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	a, err := i.each(ctx, r.Index, o, func(context.Context, *metadata.Index) error { return nil })
	if err != nil || i.ClearAnswers == nil {
		return a, err
	}
	if others := deref(r.Query) || deref(r.Fielddata); others && !deref(r.Request) {
		return a, nil
	}
	return a, i.ClearAnswers(ctx)
}
