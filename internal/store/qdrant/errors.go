package qdrant

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"postern/internal/eserr"
	"postern/internal/store"
)

// readError says in the store's words why a read failed.
func readError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch status.Code(err) {
	case codes.NotFound:
		return fmt.Errorf("%w: %w", store.ErrNoIndex, err)
	case codes.Unavailable, codes.DeadlineExceeded, codes.ResourceExhausted, codes.Aborted:
		return unavailable(err)
	}
	return fmt.Errorf("qdrant: %w", err)
}

// writeError says in the store's words what a failed write left: nothing, or nobody knows.
func writeError(err error) error {
	if err == nil {
		return nil
	}
	switch status.Code(err) {
	case codes.NotFound:
		return fmt.Errorf("%w: %w", store.ErrNoIndex, err)
	case codes.InvalidArgument, codes.Unauthenticated, codes.PermissionDenied, codes.Unimplemented, codes.FailedPrecondition, codes.AlreadyExists:
		return &refusal{err}
	case codes.ResourceExhausted:
		return &refusal{unavailable(err)}
	}
	return unknown(err)
}

// refusal is a write that was not carried out.
type refusal struct{ err error }

func (r *refusal) Error() string { return "qdrant: " + r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// unavailable is the 503 of a backend that does not answer.
func unavailable(err error) error {
	return eserr.Unavailable("Qdrant does not answer: " + reason(err))
}

// unknown is the 503 of a write that may have happened, or may yet.
func unknown(err error) error {
	return errors.Join(store.ErrUnknown, eserr.Unavailable("the outcome of the write is unknown: "+reason(err)))
}

func reason(err error) string {
	s, ok := status.FromError(err)
	if !ok {
		return err.Error()
	}
	text, _, _ := strings.Cut(s.Message(), "\n")
	return s.Code().String() + ": " + text
}
