package rest

import "context"

type humanKey struct{}

// WithHuman marks a request whose client asked for values that people read (?human).
func WithHuman(ctx context.Context) context.Context {
	return context.WithValue(ctx, humanKey{}, true)
}

// Human says whether ctx is so marked: then answers carry readable sizes, times and
// versions beside the bare numbers.
func Human(ctx context.Context) bool { return ctx.Value(humanKey{}) != nil }
