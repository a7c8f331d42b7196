package embedded

import (
	"runtime/debug"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"

	"postern/internal/segment"
	"postern/internal/store"
)

// bigMerge is from when on a merge gives the memory it took back to the system at once: it
// is many times what the process needs otherwise.
const bigMerge = 8 << 20

// merge makes one run of adjacent persisted ones where there are many of one size, or where
// most documents of one are dead. Runs stay in the order of _seq_no and their ranges stay
// disjoint. Only one merge of an index is under way at a time, and only merges remove runs.
func (ix *index) merge() error {
	for !ix.s.gate.draining() {
		ix.mu.Lock()
		from, to := ix.mergeable()
		sources := append([]*run(nil), ix.runs[from:to]...)
		lives := make([]*roaring.Bitmap, len(sources))
		for i, r := range sources {
			lives[i] = r.undead()
		}
		ix.mu.Unlock()
		if len(sources) == 0 {
			return nil
		}
		if err := ix.mergeRuns(sources, lives); err != nil {
			return err
		}
	}
	return nil
}

// undead are the documents that are not dead, shown or not; nil is all.
func (r *run) undead() *roaring.Bitmap {
	if r.dead == nil {
		return nil
	}
	live := roaring.New()
	live.AddRange(0, uint64(r.len()))
	live.AndNot(r.dead)
	return live
}

// mergeable picks runs [from, to) to merge; mu is held. Searches see all or none of what
// they hold.
func (ix *index) mergeable() (from, to int) {
	if ix.dropped.Load() {
		return 0, 0
	}
	z := &ix.s.opts.sizes
	for i, r := range ix.runs {
		if r.persisted() && r.dead != nil && r.dead.GetCardinality()*2 > uint64(r.len()) && r.whole() {
			return i, i + 1
		}
	}
	for end := len(ix.runs); end >= z.mergeWidth; end-- {
		last := ix.runs[end-1]
		start, docs, size := end, 0, int64(0)
		for start > 0 {
			r := ix.runs[start-1]
			docs += r.len()
			size += r.size
			if !r.persisted() || !r.whole() || r.shown == 0 != (last.shown == 0) || z.tier(r.len()) > z.tier(last.len()) || docs > z.mergeDocs || size > z.mergeBytes {
				break
			}
			start--
		}
		if end-start >= z.mergeWidth {
			return start, end
		}
	}
	return 0, 0
}

// whole tells that searches see all or nothing of the run.
func (r *run) whole() bool { return r.shown == 0 || r.shown == r.len() }

// tier is the power of the merge width that a run of n documents has reached.
func (z *sizes) tier(n int) int {
	t := 0
	for size := z.tailDocs * 2; n > size; size *= z.mergeWidth {
		t++
	}
	return t
}

func (ix *index) mergeRuns(sources []*run, lives []*roaring.Bitmap) error {
	// The sources are opened anew, so that the columns read for this go with it.
	parts := make([]segment.Part, len(sources))
	var size int64
	for i, r := range sources {
		seg, err := ix.openRun(r.number)
		if err != nil {
			return err
		}
		parts[i] = segment.Part{Segment: seg, Live: lives[i]}
		size += r.size
	}
	merged := segment.Merge(parts)
	if err := merged.Err(); err != nil {
		return err
	}
	ix.mu.Lock()
	ix.lastRun++
	next := &run{number: ix.lastRun, first: sources[0].first, last: sources[len(sources)-1].last}
	ix.mu.Unlock()
	if merged.Len() > 0 {
		var err error
		if next.size, err = ix.writeRun(next.number, merged); err != nil {
			return err
		}
		if next.seg, err = ix.openRun(next.number); err != nil {
			return err
		}
		warm(next.seg, sources[len(sources)-1].seg)
	}
	merged = nil
	err := ix.replace(sources, parts, next)
	if size >= bigMerge {
		parts = nil
		debug.FreeOSMemory()
	}
	return err
}

// replace puts a merged run in the place of its sources; one without documents only takes
// them away.
func (ix *index) replace(sources []*run, parts []segment.Part, next *run) error {
	if !ix.s.gate.again() {
		return store.ErrClosed
	}
	defer ix.s.gate.leave()
	ix.manifest.Lock()
	defer ix.manifest.Unlock()
	batch := ix.s.db.NewBatch()
	defer batch.Close()
	ix.mu.Lock()
	runs := ix.spliced(sources, next)
	if next.seg != nil {
		next.saved = deadNow(next.seg, parts, sources)
	}
	dropped := ix.dropped.Load()
	ix.mu.Unlock()
	if dropped {
		return nil
	}
	if err := ix.setManifest(batch, runs); err != nil {
		return err
	}
	if err := ix.setDead(batch, next.number, next.saved); err != nil {
		return err
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	// Meanwhile documents may have been written, shown and buried.
	if next.seg != nil {
		next.dead = deadNow(next.seg, parts, sources)
		next.show(ix.visible)
	}
	ix.runs = ix.spliced(sources, next)
	var g garbage
	for _, r := range sources {
		g.runs = append(g.runs, r.number)
	}
	ix.publish(g)
	return nil
}

// spliced are the runs with next in the place of sources.
func (ix *index) spliced(sources []*run, next *run) []*run {
	runs := make([]*run, 0, len(ix.runs))
	for _, r := range ix.runs {
		switch {
		case r == sources[0] && next.seg != nil:
			runs = append(runs, next)
		case r.first >= next.first && r.last <= next.last && r.persisted():
		default:
			runs = append(runs, r)
		}
	}
	return runs
}

// deadNow marks the documents of a merged segment that have died since it was begun: those
// of its sources that are dead now and were not in the parts that were merged.
func deadNow(merged *segment.Segment, parts []segment.Part, sources []*run) *roaring.Bitmap {
	var dead *roaring.Bitmap
	for i, r := range sources {
		if r.dead == nil {
			continue
		}
		for it := r.dead.Iterator(); it.HasNext(); {
			doc := it.Next()
			if live := parts[i].Live; live != nil && !live.Contains(doc) {
				continue
			}
			if at, ok := merged.Find(parts[i].SeqNo(doc)); ok {
				if dead == nil {
					dead = roaring.New()
				}
				dead.Add(at)
			}
		}
	}
	return dead
}
