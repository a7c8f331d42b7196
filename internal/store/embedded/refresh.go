package embedded

import (
	"context"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
)

// Refresh makes writes visible; see store.Documents.
func (s *Store) Refresh(ctx context.Context, meta *metadata.Index) error {
	ix, err := s.index(meta)
	if err != nil {
		return err
	}
	return ix.refresh(ctx)
}

// Snapshot is what a search sees. A search of an index that went without searches for a
// while refreshes it first, as in Elasticsearch.
func (s *Store) Snapshot(ctx context.Context, meta *metadata.Index) (store.Snapshot, error) {
	ix, err := s.index(meta)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	idle := ix.idle(now)
	ix.lastSearch.Store(now.UnixNano())
	ix.searches.Add(1)
	if idle {
		if err := ix.refresh(ctx); err != nil {
			return nil, err
		}
	}
	return ix.acquire(), nil
}

func (ix *index) refresh(context.Context) error {
	ix.refreshing.Lock()
	defer ix.refreshing.Unlock()
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.dropped {
		return store.ErrNoIndex
	}
	ix.lastRefresh = time.Now()
	ix.refreshes.Add(1)
	if ix.dirty {
		ix.bury(ix.dead)
		ix.show(ix.dead, nil)
		ix.dead, ix.dirty = nil, false
	}
	ix.visibleSeq = ix.nextSeq
	close(ix.refreshed)
	ix.refreshed = make(chan struct{})
	return nil
}

// bury adds documents to the dead of their runs. The sets are replaced, not changed.
func (ix *index) bury(dead []int64) {
	changed := map[*run]*roaring.Bitmap{}
	for _, seq := range dead {
		r := ix.runOf(seq)
		if r == nil {
			continue
		}
		doc, ok := r.view().Find(seq)
		if !ok {
			continue
		}
		set := changed[r]
		if set == nil {
			set = roaring.New()
			if r.dead != nil {
				set = r.dead.Clone()
			}
			changed[r] = set
		}
		set.Add(doc)
	}
	for r, set := range changed {
		r.dead, r.live = set, nil
	}
}

// runOf is the run whose range of _seq_no holds seq, nil when none does.
func (ix *index) runOf(seq int64) *run {
	i, found := slices.BinarySearchFunc(ix.runs, seq, func(r *run, seq int64) int {
		switch {
		case r.last < seq:
			return -1
		case r.first > seq:
			return 1
		}
		return 0
	})
	if !found {
		return nil
	}
	return ix.runs[i]
}

// show publishes the runs as they are.
func (ix *index) show(garbage []int64, segments []uint64) {
	parts := make([]segment.Part, 0, len(ix.runs))
	for _, r := range ix.runs {
		if r.len() > 0 {
			parts = append(parts, r.part())
		}
	}
	ix.publish(parts, garbage, segments)
}

// waitVisible waits until a refresh has shown a _seq_no.
func (ix *index) waitVisible(ctx context.Context, seq int64) error {
	for {
		ix.mu.Lock()
		visible, next, dropped := ix.visibleSeq > seq, ix.refreshed, ix.dropped
		ix.mu.Unlock()
		if visible || dropped {
			return nil
		}
		ix.s.wake(ix)
		select {
		case <-next:
		case <-ctx.Done():
			return ctx.Err()
		case <-ix.s.closing:
			return store.ErrClosed
		}
	}
}
