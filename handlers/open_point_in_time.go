package handlers

import (
	"context"
	"time"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/readers"
	"postern/planner"
)

// OpenPointInTime keeps what searches of some indices see now.
func (s *Searches) OpenPointInTime(ctx context.Context, r *api.OpenPointInTimeRequest) (routes.Answer, error) {
	var wrong []string
	if len(r.Index) == 0 {
		wrong = append(wrong, "[index] is not specified")
	}
	if r.KeepAlive.Text == "" {
		wrong = append(wrong, "[keep_alive] is not specified")
	}
	if wrong != nil {
		return nil, eserr.ActionValidation(wrong...)
	}
	state, err := s.State(ctx)
	if err != nil {
		return nil, err
	}
	targets, err := state.Resolve(r.Index, searchOptions(r.IgnoreUnavailable, nil, r.ExpandWildcards))
	if err != nil {
		return nil, err
	}
	if err := readable(targets); err != nil {
		return nil, err
	}
	keep := r.KeepAlive.D
	if len(targets) > 0 {
		if err := checkKeepAlive(keep, "indices:data/read/open_point_in_time", s.Planner.Node, targets); err != nil {
			return nil, err
		}
	}
	id, err := s.Contexts.Open(readers.PointInTime, len(targets), keep, func() (readers.Reader, error) {
		return s.Planner.OpenPointInTime(ctx, targets)
	})
	if err != nil {
		return nil, err
	}
	return rawJSON(append(jsonx.AppendString([]byte(`{"id":`), id), '}')), nil
}

// searchPoint answers a search of a point in time.
func (s *Searches) searchPoint(ctx context.Context, state *metadata.State, r *api.SearchRequest) (*planner.Answer, error) {
	pit := r.Body.Pit
	var keep *time.Duration
	if pit.KeepAlive != nil {
		if err := checkKeepAlive(pit.KeepAlive.D, "query", s.Planner.Node, nil); err != nil {
			return nil, err
		}
		keep = &pit.KeepAlive.D
	}
	reader, done, err := s.use(ctx, readers.PointInTime, pit.ID, keep)
	if err != nil {
		return nil, err
	}
	defer done()
	a, err := s.Planner.SearchPoint(ctx, reader.(*planner.PointInTime), state, r)
	if err != nil {
		return nil, err
	}
	a.PointID = pit.ID
	return a, nil
}
