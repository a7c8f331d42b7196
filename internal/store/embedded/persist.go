package embedded

import (
	"context"

	"github.com/cockroachdb/pebble/v2"

	"postern/internal/metadata"
	"postern/internal/segment"
)

// Flush persists the tail, so that a start need not parse its documents again.
func (s *Store) Flush(_ context.Context, meta *metadata.Index) error {
	ix, leave, err := s.enter(meta)
	if err != nil {
		return err
	}
	defer leave()
	return ix.persist(true)
}

// persistFull persists the tails that take no more documents, and lets writers know.
func (ix *index) persistFull() error {
	err := ix.persist(false)
	ix.mu.Lock()
	ix.failed = err
	close(ix.progress)
	ix.progress = make(chan struct{})
	ix.mu.Unlock()
	return err
}

// persist turns tails into segments on disk, in the order of _seq_no; last says that the
// last one, which still takes documents, is among them. Columns are built and written
// without the index's lock; snapshots go on reading the tails that they hold.
func (ix *index) persist(last bool) error {
	ix.manifest.Lock()
	defer ix.manifest.Unlock()
	newest := uint64(0)
	if last {
		ix.mu.Lock()
		newest = ix.lastRun
		ix.mu.Unlock()
	}
	for {
		r := ix.oldestTail(newest)
		if r == nil {
			return nil
		}
		if err := ix.persistRun(r); err != nil {
			return err
		}
		ix.s.merges.add(ix)
	}
}

// oldestTail is the first tail to persist: one that is full, or the last one up to the
// number newest; that takes no more documents from then on.
func (ix *index) oldestTail(newest uint64) *run {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for i, r := range ix.runs {
		switch {
		case ix.dropped.Load():
			return nil
		case r.persisted() || r.len() == 0:
		case i < len(ix.runs)-1:
			return r
		case r.number <= newest || r.full(&ix.s.opts.sizes):
			ix.lastRun++
			ix.runs = append(ix.runs, newTail(ix.lastRun))
			return r
		}
	}
	return nil
}

// persistRun persists one tail; manifest is held. What is in the database then is what is
// in the log too, but may be there before the log is synced: a run must not hold writes
// that a crash takes back.
func (ix *index) persistRun(r *run) error {
	if err := ix.sync(r.last + 1); err != nil {
		return err
	}
	ix.mu.Lock()
	searched := r.tail.View(r.shown)
	ix.mu.Unlock()
	size, err := ix.writeRun(r.number, r.tail.Seal())
	if err != nil {
		return err
	}
	seg, err := ix.openRun(r.number)
	if err != nil {
		return err
	}
	warm(seg, searched)
	batch := ix.s.db.NewBatch()
	defer batch.Close()
	ix.mu.Lock()
	if ix.dropped.Load() {
		ix.mu.Unlock()
		return nil
	}
	// In the list the run stands for itself already; nobody else looks at it before
	// manifest is released.
	runs := append([]*run(nil), ix.runs...)
	dead := r.dead
	for i := range runs {
		if runs[i] == r {
			runs[i] = &run{number: r.number, first: r.first, last: r.last, size: size, seg: seg}
		}
	}
	ix.mu.Unlock()
	if err := ix.setManifest(batch, runs); err != nil {
		return err
	}
	if err := ix.setDead(batch, r.number, dead); err != nil {
		return err
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	r.seg, r.tail, r.seqs, r.live, r.size, r.saved = seg, nil, nil, nil, size, dead
	if r.shown > 0 && !ix.dropped.Load() {
		ix.publish(garbage{}) // so that the tail can go
	}
	return nil
}

// warm reads the columns of a run that searches have asked its predecessor for.
func warm(seg, like *segment.Segment) {
	for _, f := range like.ColumnBytes() {
		seg.Exists(f.Field)
	}
}
