package embedded

import (
	"context"

	"github.com/cockroachdb/pebble/v2"

	"postern/internal/metadata"
	"postern/internal/store"
)

// Load is the current metadata, from memory.
func (s *Store) Load(context.Context) (*metadata.State, error) { return s.catalog.Load(), nil }

// Update changes the metadata, durably; see store.Catalog. Updates happen one after the
// other, so that change is called once.
func (s *Store) Update(ctx context.Context, change func(*metadata.State) (*metadata.State, error)) (*metadata.State, error) {
	if !s.gate.enter() {
		return nil, store.ErrClosed
	}
	defer s.gate.leave()
	s.updating.Lock()
	defer s.updating.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	before := s.catalog.Load()
	next, err := change(before)
	if err != nil || next == before {
		return before, err
	}
	if err := s.db.Set([]byte{kindCatalog}, next.AppendBinary(nil), pebble.Sync); err != nil {
		return before, err
	}
	s.catalog.Store(next)
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, meta := range next.Indices() {
		if ix := s.indices[meta.UUID]; ix != nil {
			ix.learn(meta)
		}
	}
	return next, nil
}
