// Package embedded keeps documents, columns and metadata in a Pebble database in the
// process.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
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
	// MemoryBudget bounds the memory of columns and tails in bytes; beyond it writes are
	// refused. 0 is no bound.
	MemoryBudget int64
	// Log receives the failures of background work; nil drops them.
	Log *slog.Logger
	// Parse turns a stored source back into columns when it is replayed at a start.
	Parse func(ix *metadata.Index, dst *mapping.Document, id, routing string, source []byte) error
	// NewState is the metadata of an empty data folder.
	NewState func() *metadata.State
}

// Store is both ports on one database.
type Store struct {
	db   *pebble.DB
	opts Options
	log  *slog.Logger

	mu      sync.RWMutex
	indices map[string]*index
	closed  bool

	catalog    atomic.Pointer[metadata.State]
	updating   sync.Mutex
	memory     atomic.Int64 // bytes of columns and tails, as of the last look
	closing    chan struct{}
	wakeups    chan *index
	background sync.WaitGroup
}

var (
	_ store.Documents = (*Store)(nil)
	_ store.Catalog   = (*Store)(nil)
)

// Open opens the database of a folder, which is made if need be, and what it holds. The
// errors are store.ErrLocked, store.ErrFormat or those of the file system.
func Open(folder string, opts Options) (*Store, error) {
	s := &Store{opts: opts, log: opts.Log, indices: map[string]*index{}, closing: make(chan struct{}), wakeups: make(chan *index, 64)}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	fs := opts.FS
	if fs == nil {
		fs = vfs.Default
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		}
		probe, err := os.CreateTemp(folder, ".writable-*")
		if err != nil {
			return nil, fmt.Errorf("data folder is not writable: %w", err)
		}
		name := probe.Name()
		if err := errors.Join(probe.Close(), os.Remove(name)); err != nil {
			return nil, fmt.Errorf("data folder is not writable: %w", err)
		}
	}
	db, err := pebble.Open(filepath.Join(folder, "db"), pebbleOptions(fs, s.log))
	if err != nil {
		if strings.Contains(err.Error(), "lock") || strings.Contains(err.Error(), "resource temporarily unavailable") {
			return nil, fmt.Errorf("%w: %s", store.ErrLocked, folder)
		}
		return nil, err
	}
	s.db = db
	if err := s.start(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s.background.Add(2)
	go s.refresher()
	go s.worker()
	return s, nil
}

// pebbleOptions keep the database small in memory: columns are what searches run on, and
// the block cache serves only reads of sources.
func pebbleOptions(fs vfs.FS, log *slog.Logger) *pebble.Options {
	cache := pebble.NewCache(8 << 20)
	o := &pebble.Options{
		FS:                          fs,
		Cache:                       cache,
		MemTableSize:                4 << 20,
		MemTableStopWritesThreshold: 4,
		L0CompactionThreshold:       4,
		L0StopWritesThreshold:       64,
		MaxOpenFiles:                512,
		FormatMajorVersion:          pebble.FormatNewest,
		Logger:                      pebbleLog{log},
	}
	return o
}

// pebbleLog passes on what Pebble says only when it matters.
type pebbleLog struct{ log *slog.Logger }

func (l pebbleLog) Infof(string, ...any)              {}
func (l pebbleLog) Errorf(format string, args ...any) { l.log.Error(fmt.Sprintf(format, args...)) }

// Fatalf is called when the log can't be synced: going on would acknowledge writes that
// are not durable.
func (l pebbleLog) Fatalf(format string, args ...any) {
	l.log.Error(fmt.Sprintf(format, args...))
	os.Exit(1)
}

// index finds an open index and takes note of its newest settings.
func (s *Store) index(meta *metadata.Index) (*index, error) {
	s.mu.RLock()
	ix, closed := s.indices[meta.UUID], s.closed
	s.mu.RUnlock()
	switch {
	case closed:
		return nil, store.ErrClosed
	case ix == nil:
		return nil, store.ErrNoIndex
	}
	if known := ix.meta.Load(); known != meta && (known.SettingsVersion < meta.SettingsVersion || known.MappingVersion < meta.MappingVersion) {
		ix.meta.CompareAndSwap(known, meta)
	}
	return ix, nil
}

// CreateIndex makes room for an index.
func (s *Store) CreateIndex(_ context.Context, meta *metadata.Index) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return store.ErrClosed
	}
	if s.indices[meta.UUID] == nil {
		s.indices[meta.UUID] = newIndex(s, meta)
	}
	return nil
}

// DropIndex removes an index; what snapshots of it still read goes with the last one.
func (s *Store) DropIndex(_ context.Context, uuid string) error {
	s.mu.Lock()
	ix := s.indices[uuid]
	delete(s.indices, uuid)
	s.mu.Unlock()
	if ix == nil {
		return nil
	}
	ix.refreshing.Lock()
	defer ix.refreshing.Unlock()
	ix.mu.Lock()
	ix.dropped = true
	close(ix.refreshed)
	ix.refreshed = make(chan struct{})
	ix.mu.Unlock()
	ix.states.Lock()
	held := false
	for _, st := range ix.held {
		held = held || st.refs.Load() > 1 || st != ix.current && st.refs.Load() > 0
	}
	ix.states.Unlock()
	if held {
		s.wake(ix)
		return nil
	}
	return s.erase(uuid)
}

// erase removes all keys of an index, in one write.
func (s *Store) erase(uuid string) error {
	b := s.db.NewBatch()
	defer b.Close()
	for _, kind := range []byte(perIndex) {
		prefix := key(kind, uuid)
		if err := b.DeleteRange(prefix, after(prefix), nil); err != nil {
			return err
		}
	}
	return b.Commit(pebble.Sync)
}

// Close ends background work and closes the database. Snapshots must have been released.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.closing)
	indices := make([]*index, 0, len(s.indices))
	for _, ix := range s.indices {
		indices = append(indices, ix)
	}
	s.mu.Unlock()
	s.background.Wait()
	var errs []error
	for _, ix := range indices {
		errs = append(errs, ix.persistAll())
	}
	return errors.Join(append(errs, s.db.Close())...)
}

// overBudget reports whether columns and tails take more memory than they may.
func (s *Store) overBudget() bool {
	return s.opts.MemoryBudget > 0 && s.memory.Load() > s.opts.MemoryBudget
}
