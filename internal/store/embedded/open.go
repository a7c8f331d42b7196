package embedded

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"postern/internal/metadata"
	"postern/internal/store"
)

// Open opens the database of a folder, which is made if need be, and what it holds. The
// error is store.ErrLocked, store.ErrUnwritable, store.ErrFormat or one of the machine's.
func Open(folder string, opts Options) (*Store, error) {
	if opts.FS == nil {
		opts.FS = vfs.Default
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.sizes.orDefaults()
	s := &Store{opts: opts, log: opts.Log, indices: map[string]*index{}, dropped: map[string]*index{}, ingest: opts.FS.PathJoin(folder, "ingest"),
		gate: gate{closing: make(chan struct{})}, chores: newQueue(), merges: newQueue()}
	s.budget.limit = opts.MemoryBudget
	s.pebble = pebbleOptions(opts.FS, s.log)
	var err error
	if s.db, err = openDatabase(opts.FS.PathJoin(folder, "db"), s.pebble); err != nil {
		return nil, err
	}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	s.background.Add(1)
	go s.doChores()
	go s.doMerges()
	return s, nil
}

// start reads what the database holds.
func (s *Store) start() error {
	if err := s.checkFormat(); err != nil {
		return err
	}
	// What lies there was not complete when the process ended.
	if err := errors.Join(s.opts.FS.RemoveAll(s.ingest), s.opts.FS.MkdirAll(s.ingest, 0o755)); err != nil {
		return err
	}
	if err := s.loadCatalog(); err != nil {
		return err
	}
	terms := s.db.NewBatch()
	defer terms.Close()
	known := map[string]bool{}
	for _, meta := range s.catalog.Load().Indices() {
		known[meta.UUID] = true
		ix := newIndex(s, meta)
		if err := ix.open(terms); err != nil {
			return fmt.Errorf("index [%s]: %w", meta.Name, err)
		}
		s.indices[meta.UUID] = ix
	}
	if err := terms.Commit(pebble.Sync); err != nil {
		return err
	}
	return s.eraseUnknown(known)
}

func (s *Store) checkFormat() error {
	b, err := get(s.db, []byte{kindFormat})
	if err != nil {
		return err
	}
	if b == nil {
		return s.db.Set([]byte{kindFormat}, binary.AppendUvarint(nil, formatVersion), pebble.Sync)
	}
	if v, n := binary.Uvarint(b); n <= 0 || v > formatVersion {
		return fmt.Errorf("%w: %d, this version reads up to %d", store.ErrFormat, v, formatVersion)
	}
	return nil
}

func (s *Store) loadCatalog() error {
	b, err := get(s.db, []byte{kindCatalog})
	if err != nil {
		return err
	}
	if b != nil {
		state, err := metadata.Decode(b)
		if err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		s.catalog.Store(state)
		return nil
	}
	state := s.opts.NewState()
	if err := s.db.Set([]byte{kindCatalog}, state.AppendBinary(nil), pebble.Sync); err != nil {
		return err
	}
	s.catalog.Store(state)
	return nil
}

// eraseUnknown removes what a crash left of indices that were being created or dropped.
func (s *Store) eraseUnknown(known map[string]bool) error {
	for _, kind := range []byte(perIndex) {
		all := []byte{kind}
		for from := all; ; {
			k, err := first(s.db, all, from)
			if err != nil {
				return err
			}
			if k == nil {
				break
			}
			uuid, _ := splitUUID(k)
			if !known[uuid] {
				if err := s.erase(uuid); err != nil {
					return err
				}
			}
			from = after(prefix(kind, uuid))
		}
	}
	return nil
}

// splitUUID takes the key of an index apart.
func splitUUID(k []byte) (uuid string, rest []byte) {
	for i, c := range k {
		if c == 0 {
			return string(k[1:i]), k[i+1:]
		}
	}
	return string(k[1:]), nil
}

// Close ends all calls and background work, writes out the tails, and closes the database.
func (s *Store) Close() error {
	if !s.gate.drain() {
		return nil
	}
	s.background.Wait()
	var errs []error
	for _, ix := range s.open() {
		errs = append(errs, ix.persist(true))
	}
	s.gate.close()
	return errors.Join(append(errs, s.db.Close())...)
}
