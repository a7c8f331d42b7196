package mutate

import (
	"context"

	"postern/internal/fence"
	"postern/internal/metadata"
	"postern/internal/store"
)

// Refresh makes the documents of an index visible to searches. No document changes, but
// what searches see does: answers made before are no longer those of now.
func (m *Mutator) Refresh(ctx context.Context, ix *metadata.Index) error {
	return m.fenced(ctx, fence.Intent{Scope: fence.Documents, Index: ix.UUID, IDs: []string{}}, func() error {
		return store.ClientError(ix, m.Documents.Refresh(ctx, ix))
	})
}

// Flush writes out what would otherwise be built again at the next start.
func (m *Mutator) Flush(ctx context.Context, ix *metadata.Index) error {
	return store.ClientError(ix, m.Documents.Flush(ctx, ix))
}
