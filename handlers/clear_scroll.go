package handlers

import (
	"context"
	"net/http"
	"strconv"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/readers"
)

// ClearScroll ends scrolls, or all of them.
func (s *Searches) ClearScroll(ctx context.Context, r *api.ClearScrollRequest) (routes.Answer, error) {
	body, err := readScrollBody(r.Body, true)
	if err != nil {
		return nil, err
	}
	ids := r.ScrollID
	if body.ids != nil {
		ids = body.ids
	}
	if len(ids) == 0 {
		return nil, eserr.ActionValidation("no scroll ids specified")
	}
	if len(ids) == 1 && ids[0] == "_all" {
		return &contextsFreed{true, s.Contexts.CloseAll(readers.Scroll), http.StatusOK}, nil
	}
	if err := s.elsewhere(ctx, readers.Scroll, ids...); err != nil {
		return nil, err
	}
	n, err := s.Contexts.Close(readers.Scroll, ids...)
	if err != nil {
		return nil, err
	}
	a := &contextsFreed{true, n, http.StatusOK}
	if n == 0 {
		a.status = http.StatusNotFound
	}
	return a, nil
}

// contextsFreed is the answer about contexts that were closed.
type contextsFreed struct {
	succeeded     bool
	freed, status int
}

// Status is 404 when there was nothing to close.
func (a *contextsFreed) Status() int { return a.status }

// AppendJSON appends the answer.
func (a *contextsFreed) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendBool(append(dst, `{"succeeded":`...), a.succeeded)
	dst = strconv.AppendInt(append(dst, `,"num_freed":`...), int64(a.freed), 10)
	return append(dst, '}')
}
