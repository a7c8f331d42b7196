package embedded

import (
	"context"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
)

// Refresh makes writes visible; see store.Documents.
func (s *Store) Refresh(_ context.Context, meta *metadata.Index) error {
	ix, leave, err := s.enter(meta)
	if err != nil {
		return err
	}
	defer leave()
	return ix.refresh()
}

// refresh shows all writes so far, once they are synced.
func (ix *index) refresh() error {
	ix.mu.Lock()
	below, dropped := ix.nextSeq, ix.dropped.Load()
	ix.mu.Unlock()
	if dropped {
		return store.ErrNoIndex
	}
	if err := ix.sync(below); err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.lastRefresh = time.Now()
	ix.refreshes.Add(1)
	if below > ix.visible {
		ix.visible = below
		garbage := garbage{records: ix.bury(below)}
		for _, r := range ix.runs {
			r.show(below)
		}
		ix.publish(garbage)
		ix.s.merges.add(ix)
	}
	ix.announce()
	ix.tick()
	return nil
}

// announce wakes those who wait for a refresh; mu is held.
func (ix *index) announce() {
	close(ix.refreshed)
	ix.refreshed = make(chan struct{})
}

// bury marks what writes below a _seq_no have replaced as dead, and lists it.
func (ix *index) bury(below int64) []int64 {
	n := 0
	for n < len(ix.replaced) && ix.replaced[n].by < below {
		n++
	}
	if n == 0 {
		return nil
	}
	buried := make([]int64, n)
	sets := map[*run]*roaring.Bitmap{}
	for i, x := range ix.replaced[:n] {
		buried[i] = x.seq
		r := ix.runOf(x.seq)
		if r == nil {
			continue
		}
		if doc, ok := r.find(x.seq); ok {
			if sets[r] == nil {
				sets[r] = roaring.New()
			}
			sets[r].Add(doc)
		}
	}
	for r, set := range sets {
		r.bury(set)
	}
	ix.replaced = append([]replacement(nil), ix.replaced[n:]...)
	return buried
}

// publish makes the runs, as they are shown, the current state; mu is held. g is what the
// state no longer reaches.
func (ix *index) publish(g garbage) {
	parts := make([]segment.Part, 0, len(ix.runs))
	for _, r := range ix.runs {
		if r.shown > 0 {
			parts = append(parts, r.part())
		}
	}
	if ix.states.publish(ix.visible, parts, g) {
		ix.removeSoon()
	}
	ix.check()
}

// waitVisible waits until a refresh has shown a _seq_no. Many waiters do not wait: as in
// Elasticsearch the one beyond index.max_refresh_listeners refreshes.
func (ix *index) waitVisible(ctx context.Context, seq int64) error {
	ix.touch()
	ix.mu.Lock()
	ix.waiting++
	crowded := ix.waiting > ix.settings.Load().maxListeners
	ix.tick()
	ix.mu.Unlock()
	defer func() {
		ix.mu.Lock()
		ix.waiting--
		ix.mu.Unlock()
	}()
	if crowded {
		return ix.refresh()
	}
	for {
		ix.mu.Lock()
		seen, next, dropped := ix.visible > seq, ix.refreshed, ix.dropped.Load()
		ix.mu.Unlock()
		switch {
		case seen:
			return nil
		case dropped:
			return store.ErrNoIndex
		}
		select {
		case <-next:
		case <-ctx.Done():
			return ctx.Err()
		case <-ix.s.gate.closing:
			return store.ErrClosed
		}
	}
}
