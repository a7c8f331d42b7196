package mutate

import (
	"context"
	"errors"
	"time"

	"postern/internal/fence"
	"postern/internal/store"
)

// The pauses between two attempts to settle.
const minSettle, maxSettle = 50 * time.Millisecond, 2 * time.Second

// settle ends a mutation of unknown outcome, whose caller has been told so: what may still
// arrive is made impossible, and then the token can be closed. Until that is done, which
// takes as long as the backend is away, others wait for its documents. A store that can't do
// this leaves the token open.
func (m *Mutator) settle(in fence.Intent, token fence.Token) {
	s, able := m.Documents.(store.Settler)
	if !able || in.Scope == fence.Documents && in.IDs == nil {
		return
	}
	go func() {
		for wait := minSettle; ; wait = min(2*wait, maxSettle) {
			err := poison(context.Background(), s, in)
			if err == nil || errors.Is(err, store.ErrNoIndex) {
				m.Fence.Complete(token)
				return
			}
			if errors.Is(err, store.ErrClosed) {
				return
			}
			time.Sleep(wait)
		}
	}()
}

func poison(ctx context.Context, s store.Settler, in fence.Intent) error {
	if in.Scope == fence.Documents {
		return s.Poison(ctx, in.Index, in.IDs)
	}
	return s.PoisonCatalog(ctx)
}
