package handlers

import (
	"cmp"
	"context"
	"time"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/metadata"
	"postern/internal/readers"
	"postern/planner"
)

// openScroll answers the first page of a scroll.
func (s *Searches) openScroll(ctx context.Context, targets []metadata.Resolved, r *api.SearchRequest) (*planner.Answer, error) {
	if err := checkKeepAlive(r.Scroll.D, "query", s.Planner.Node, targets); err != nil {
		return nil, err
	}
	var a *planner.Answer
	id, err := s.Contexts.Open(readers.Scroll, len(targets), r.Scroll.D, func() (readers.Reader, error) {
		page, scroll, err := s.Planner.OpenScroll(ctx, targets, r)
		a = page
		return scroll, err
	})
	if err != nil {
		return nil, err
	}
	a.ScrollID = id
	return a, nil
}

// Scroll answers the next page of a scroll. Without a time to keep it, it is the last.
func (s *Searches) Scroll(ctx context.Context, r *api.ScrollRequest) (routes.Answer, error) {
	body, err := readScrollBody(r.Body, false)
	if err != nil {
		return nil, err
	}
	id, keep := r.ScrollID, r.Scroll
	if body.ids != nil {
		id = body.ids[len(body.ids)-1]
	}
	if body.scroll != nil {
		keep = body.scroll
	}
	if id == "" {
		return nil, eserr.ActionValidation("scrollId is missing")
	}
	var wait *time.Duration
	if keep != nil {
		if err := checkKeepAlive(keep.D, "query", s.Planner.Node, nil); err != nil {
			// Elasticsearch ends a scroll whose next page fails.
			_, unread := s.Contexts.Close(readers.Scroll, id)
			return nil, cmp.Or(unread, err)
		}
		wait = &keep.D
	}
	reader, done, err := s.use(ctx, readers.Scroll, id, wait)
	if err != nil {
		return nil, err
	}
	defer done()
	if gone, err := s.deleted(ctx, reader); gone || err != nil {
		s.Contexts.Close(readers.Scroll, id)
		_, _, missing := s.Contexts.Use(readers.Scroll, id, nil)
		return nil, cmp.Or(err, missing)
	}
	a, err := reader.(*planner.Scroll).Next(ctx, deref(r.RestTotalHitsAsInt))
	if err != nil {
		return nil, err
	}
	if keep != nil {
		a.ScrollID = id
	} else if _, err := s.Contexts.Close(readers.Scroll, id); err != nil {
		return nil, err
	}
	return a, nil
}

// deleted tells whether an index of a scroll is no more; another gateway may have deleted
// it.
func (s *Searches) deleted(ctx context.Context, r readers.Reader) (bool, error) {
	state, err := s.State(ctx)
	if err != nil {
		return false, err
	}
	for _, uuid := range r.Indices() {
		if state.IndexByUUID(uuid) == nil {
			return true, nil
		}
	}
	return false, nil
}
