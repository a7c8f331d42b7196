package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
)

// Count answers _count.
func (s *Searches) Count(ctx context.Context, r *api.CountRequest) (routes.Answer, error) {
	state, err := s.State(ctx)
	if err != nil {
		return nil, err
	}
	targets, err := state.Resolve(r.Index, searchOptions(r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards))
	if err != nil {
		return nil, err
	}
	if err := readable(targets); err != nil {
		return nil, err
	}
	a, err := s.Planner.Count(ctx, targets, r)
	if err != nil {
		return nil, err
	}
	return a, nil
}
