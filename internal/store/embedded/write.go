package embedded

import (
	"context"

	"github.com/cockroachdb/pebble/v2"

	"postern/internal/metadata"
	"postern/internal/store"
)

// Write applies mutations; see store.Documents.
//
// Only reading, deciding and applying to memory happen under the index's lock; the sync is
// shared with the calls of other clients.
func (s *Store) Write(ctx context.Context, meta *metadata.Index, mutations []store.Mutation, refresh store.Refresh) ([]store.Result, error) {
	ix, leave, err := s.enter(meta)
	if err != nil {
		return nil, err
	}
	defer leave()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.budget.look(s)
	w := writer{ix: ix, mutations: mutations, results: make([]store.Result, len(mutations)), last: -1}
	for w.done < len(mutations) {
		if err := ix.room(ctx); err != nil {
			return nil, err
		}
		if err := w.chunk(); err != nil {
			return nil, err
		}
	}
	if err := w.sync(); err != nil {
		return nil, err
	}
	if w.last < 0 {
		return w.results, nil
	}
	switch refresh {
	case store.RefreshNow:
		err = ix.refresh()
	case store.RefreshWait:
		err = ix.waitVisible(ctx, w.last)
	}
	return w.results, err
}

// sync makes writes below a _seq_no survive a crash.
func (ix *index) sync(below int64) error {
	if ix.synced.Load() >= below {
		return nil
	}
	// The log is a sequence: syncing an empty entry syncs all before it.
	if err := ix.s.db.LogData(nil, pebble.Sync); err != nil {
		return err
	}
	ix.noteSynced(below)
	return nil
}

func (ix *index) noteSynced(below int64) {
	for {
		known := ix.synced.Load()
		if known >= below || ix.synced.CompareAndSwap(known, below) {
			return
		}
	}
}

// room waits while too many tails are not persisted yet.
func (ix *index) room(ctx context.Context) error {
	for {
		ix.mu.Lock()
		behind, progress, failed := -1, ix.progress, ix.failed
		for i := len(ix.runs) - 1; i >= 0 && !ix.runs[i].persisted(); i-- {
			behind++
		}
		ix.mu.Unlock()
		if behind <= ix.s.opts.sizes.tails {
			return nil
		}
		if failed != nil {
			return failed
		}
		ix.s.chores.add(ix)
		select {
		case <-progress:
		case <-ctx.Done():
			return ctx.Err()
		case <-ix.s.gate.closing:
			return store.ErrClosed
		}
	}
}
