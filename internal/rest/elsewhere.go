package rest

import "context"

// Elsewhere is the error of a request that another gateway has to answer: the transport
// passes it on. Missing is what its client is told when that gateway is gone.
type Elsewhere struct {
	URL     string
	Missing error
}

func (e *Elsewhere) Error() string { return "to be answered by " + e.URL + ": " + e.Missing.Error() }

// Unwrap gives what it means where nothing is passed on.
func (e *Elsewhere) Unwrap() error { return e.Missing }

type passedOnKey struct{}

// WithPassedOn marks a request that another gateway has passed on.
func WithPassedOn(ctx context.Context) context.Context {
	return context.WithValue(ctx, passedOnKey{}, true)
}

// PassedOn says whether ctx is so marked: then the request goes nowhere else.
func PassedOn(ctx context.Context) bool { return ctx.Value(passedOnKey{}) != nil }
