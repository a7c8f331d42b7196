package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/metadata"
	"postern/internal/readers"
	"postern/internal/store"
	"postern/planner"
)

// Searches answers the endpoints that search: search, msearch and count. A server
// embeds it.
type Searches struct {
	Planner *planner.Planner
	// State gives the metadata as they are now; a request takes them once.
	State func(context.Context) (*metadata.State, error)
	// Contexts are the open scrolls and points in time.
	Contexts *readers.Contexts
	// Gateways are the others on the same store; nil where there are none.
	Gateways store.Gateways
}

// Search answers _search.
func (s *Searches) Search(ctx context.Context, r *api.SearchRequest) (routes.Answer, error) {
	state, err := s.State(ctx)
	if err != nil {
		return nil, err
	}
	a, err := s.search(ctx, state, r)
	if err != nil {
		return nil, err
	}
	return a, nil
}

func (s *Searches) search(ctx context.Context, state *metadata.State, r *api.SearchRequest) (*planner.Answer, error) {
	if err := planner.Check(r); err != nil {
		return nil, err
	}
	if r.Body.Pit != nil {
		return s.searchPoint(ctx, state, r)
	}
	targets, err := state.Resolve(r.Index, searchOptions(r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards))
	if err != nil {
		return nil, err
	}
	if err := readable(targets); err != nil {
		return nil, err
	}
	if r.Scroll != nil {
		return s.openScroll(ctx, targets, r)
	}
	return s.Planner.Search(ctx, targets, r)
}

// readable refuses a search when one of its indices blocks reads.
func readable(targets []metadata.Resolved) error {
	for _, t := range targets {
		if err := t.Index.Allow(metadata.ReadDocuments); err != nil {
			return err
		}
	}
	return nil
}

// searchOptions say how the index expression of a search is read.
func searchOptions(ignoreUnavailable, allowNoIndices *bool, expand []api.ExpandWildcard) metadata.IndicesOptions {
	return expressions(metadata.SearchIndices(), ignoreUnavailable, allowNoIndices, expand)
}
