package handlers

import (
	"context"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/metadata"
)

// IndicesRefresh makes what has been written visible to searches.
func (i *Indices) IndicesRefresh(ctx context.Context, r *api.IndicesRefreshRequest) (routes.Answer, error) {
	o := expressions(metadata.SearchIndices(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	return i.each(ctx, r.Index, o, i.Mutator.Refresh)
}

// IndicesFlush writes out what would be built again at the next start.
func (i *Indices) IndicesFlush(ctx context.Context, r *api.IndicesFlushRequest) (routes.Answer, error) {
	if deref(r.Force) && r.WaitIfOngoing != nil && !*r.WaitIfOngoing {
		return nil, eserr.ActionValidation("wait_if_ongoing must be true for a force flush")
	}
	o := expressions(metadata.SearchIndices(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	return i.each(ctx, r.Index, o, i.Mutator.Flush)
}

// each does something to every index of an expression and counts their shards.
func (i *Indices) each(ctx context.Context, exprs []string, o metadata.IndicesOptions, do func(context.Context, *metadata.Index) error) (routes.Answer, error) {
	indices, err := i.find(ctx, exprs, o, metadata.RefreshIndex)
	if err != nil {
		return nil, err
	}
	shards := &answer.Shards{}
	for _, ix := range indices {
		if err := do(ctx, ix); err != nil {
			return nil, err
		}
		n := ix.Settings.Int("index.number_of_shards", 1)
		shards.Total += int64(n * copiesOf(ix))
		shards.Successful += int64(n)
	}
	return &answer.ShardsOperation{Shards: shards}, nil
}
