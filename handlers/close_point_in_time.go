package handlers

import (
	"context"
	"net/http"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/readers"
)

// ClosePointInTime gives up a point in time.
func (s *Searches) ClosePointInTime(ctx context.Context, r *api.ClosePointInTimeRequest) (routes.Answer, error) {
	id := ""
	for k, m := range r.Body.Members() {
		switch {
		case k.Text() != "id":
			return nil, eserr.IllegalArgument("Unknown parameter [%s] in request body or parameter is of the wrong type[FIELD_NAME] ", k.Text())
		case m.Kind() != jsonx.String:
			return nil, eserr.IllegalArgument("the request must contain only [id field")
		}
		id = m.Text()
	}
	if id == "" {
		return nil, eserr.IllegalArgument("search context id is is not provided")
	}
	if err := s.elsewhere(ctx, readers.PointInTime, id); err != nil {
		return nil, err
	}
	n, err := s.Contexts.Close(readers.PointInTime, id)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return &contextsFreed{false, 0, http.StatusNotFound}, nil
	}
	return &contextsFreed{true, n, http.StatusOK}, nil
}
