// Package embedded keeps documents, columns and metadata in a Pebble database in the
// process.
package embedded

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
)

// Options configure a Store.
type Options struct {
	// FS is the file system; nil is the real one.
	FS vfs.FS
	// MemoryBudget bounds the memory of columns and tails in bytes; beyond it documents
	// are refused. 0 is no bound.
	MemoryBudget int64
	// Log receives the failures of background work; nil drops them.
	Log *slog.Logger
	// Parse turns a stored source back into columns when it is replayed at a start. The
	// source does not change.
	Parse func(ix *metadata.Index, dst *mapping.Document, id, routing string, source []byte) error
	// NewState is the metadata of an empty data folder.
	NewState func() *metadata.State

	// sizes are smaller in tests.
	sizes sizes
}

// Store is both ports on one database.
type Store struct {
	opts   Options
	log    *slog.Logger
	pebble *pebble.Options
	db     *pebble.DB
	gate   gate
	// ingest is the folder where runs are written before they become part of the database,
	// tables counts them.
	ingest string
	tables atomic.Uint64

	mu      sync.RWMutex
	indices map[string]*index
	// dropped are the indices whose keys are not erased yet.
	dropped map[string]*index

	catalog  atomic.Pointer[metadata.State]
	updating sync.Mutex

	budget     budget
	chores     queue // persist and remove
	merges     queue
	background sync.WaitGroup
}

var (
	_ store.Documents = (*Store)(nil)
	_ store.Catalog   = (*Store)(nil)
)

// enter begins a call on an index and takes note of newer settings. leave ends the call.
func (s *Store) enter(meta *metadata.Index) (ix *index, leave func(), err error) {
	if !s.gate.enter() {
		return nil, nil, store.ErrClosed
	}
	s.mu.RLock()
	ix = s.indices[meta.UUID]
	s.mu.RUnlock()
	if ix == nil {
		s.gate.leave()
		return nil, nil, store.ErrNoIndex
	}
	ix.learn(meta)
	return ix, s.gate.leave, nil
}

// open lists the indices.
func (s *Store) open() []*index {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]*index, 0, len(s.indices))
	for _, ix := range s.indices {
		list = append(list, ix)
	}
	return list
}

// CreateIndex makes room for an index; see store.Documents.
func (s *Store) CreateIndex(_ context.Context, meta *metadata.Index) error {
	if !s.gate.enter() {
		return store.ErrClosed
	}
	defer s.gate.leave()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dropped[meta.UUID] != nil {
		return fmt.Errorf("index [%s]: its uuid %s is that of a dropped index", meta.Name, meta.UUID)
	}
	if s.indices[meta.UUID] == nil {
		s.indices[meta.UUID] = newIndex(s, meta)
	}
	return nil
}

// DropIndex removes an index; see store.Documents. Its keys are erased in the background
// when the last snapshot is released, or at the next start.
func (s *Store) DropIndex(_ context.Context, uuid string) error {
	if !s.gate.enter() {
		return store.ErrClosed
	}
	defer s.gate.leave()
	s.mu.Lock()
	ix := s.indices[uuid]
	delete(s.indices, uuid)
	if ix != nil {
		s.dropped[uuid] = ix
	}
	s.mu.Unlock()
	if ix == nil {
		return nil
	}
	ix.mu.Lock()
	ix.dropped.Store(true)
	ix.announce()
	ix.mu.Unlock()
	s.chores.add(ix)
	return nil
}

// erase removes all keys of an index, in one write.
func (s *Store) erase(uuid string) error {
	b := s.db.NewBatch()
	defer b.Close()
	for _, kind := range []byte(perIndex) {
		p := prefix(kind, uuid)
		if err := b.DeleteRange(p, after(p), nil); err != nil {
			return err
		}
	}
	return b.Commit(pebble.Sync)
}
