package embedded

import (
	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"

	"postern/internal/segment"
)

const (
	// mergeWidth is how many adjacent runs of one size are merged into one.
	mergeWidth = 8
	// mergeLimit is how many documents a merge makes at most.
	mergeLimit = 1 << 20
)

// merge makes one segment of adjacent persisted runs where there are many of one size, or
// where most documents of one are dead. Runs stay in the order of _seq_no and their ranges
// stay disjoint.
func (ix *index) merge() error {
	ix.refreshing.Lock()
	defer ix.refreshing.Unlock()
	for {
		select {
		case <-ix.s.closing:
			return nil
		default:
		}
		ix.mu.Lock()
		from, to := ix.mergeable()
		parts := make([]segment.Part, 0, to-from)
		for _, r := range ix.runs[from:to] {
			parts = append(parts, r.part())
		}
		ix.mu.Unlock()
		if from == to {
			return nil
		}
		if err := ix.mergeRuns(from, to, parts); err != nil {
			return err
		}
	}
}

// mergeable picks a range of runs; ix.mu is held.
func (ix *index) mergeable() (from, to int) {
	if ix.dropped {
		return 0, 0
	}
	for i, r := range ix.runs {
		if r.seg != nil && r.dead != nil && r.dead.GetCardinality()*2 > uint64(r.len()) {
			return i, i + 1
		}
	}
	for end := len(ix.runs); end > 0; end-- {
		start, total := end, 0
		for start > 0 {
			r := ix.runs[start-1]
			if r.seg == nil || tier(r.len()) > tier(ix.runs[end-1].len()) || total+r.len() > mergeLimit {
				break
			}
			total += r.len()
			start--
		}
		if end-start >= mergeWidth {
			return start, end
		}
	}
	return 0, 0
}

// tier is the power of the merge width that a run of n documents has reached.
func tier(n int) int {
	t := 0
	for size := sealAt * 2; n > size; size *= mergeWidth {
		t++
	}
	return t
}

func (ix *index) mergeRuns(from, to int, parts []segment.Part) error {
	merged := segment.Merge(parts)
	if err := merged.Err(); err != nil {
		return err
	}
	ix.mu.Lock()
	ix.nextRun++
	number := ix.nextRun
	ix.mu.Unlock()
	batch := ix.s.db.NewBatch()
	defer batch.Close()
	if err := ix.encode(batch, number, merged); err != nil {
		return err
	}
	opened, err := ix.openSegment(batchOrDB{ix.s.db, batch}, number)
	if err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.dropped {
		return nil
	}
	old := ix.runs[from:to:to]
	next := &run{number: number, seg: opened, persisted: true, first: old[0].first, last: old[len(old)-1].last}
	// Documents that died since the merge began are dead in its result too. Only refresh
	// buries, and it waits for the same lock, so parts still say what was live; this
	// stays right should that change.
	for i, r := range old {
		live := parts[i].Live
		if r.dead == nil {
			continue
		}
		for it := r.dead.Iterator(); it.HasNext(); {
			doc := it.Next()
			if live != nil && !live.Contains(doc) {
				continue
			}
			if at, ok := merged.Find(parts[i].SeqNo(doc)); ok {
				if next.dead == nil {
					next.dead = roaring.New()
				}
				next.dead.Add(at)
			}
		}
	}
	runs := append([]*run(nil), ix.runs[:from]...)
	if merged.Len() > 0 {
		runs = append(runs, next)
	}
	before := ix.runs
	ix.runs = append(runs, ix.runs[to:]...)
	if err := ix.writeManifest(batch); err != nil {
		ix.runs = before
		return err
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		ix.runs = before
		return err
	}
	numbers := make([]uint64, len(old))
	for i, r := range old {
		numbers[i] = r.number
	}
	// The tail's unrefreshed documents must not be shown by this: show what was shown.
	ix.replaceShown(old, next, merged.Len() > 0, numbers)
	return nil
}

// replaceShown publishes the current state with a merged run in the place of its sources.
func (ix *index) replaceShown(old []*run, next *run, any bool, numbers []uint64) {
	ix.states.Lock()
	shown := ix.current.parts
	ix.states.Unlock()
	first, last := old[0].first, old[len(old)-1].last
	var parts []segment.Part
	placed := false
	for _, p := range shown {
		if p.MinSeqNo() < first || p.MinSeqNo() > last {
			parts = append(parts, p)
			continue
		}
		if !placed && any {
			parts = append(parts, next.part())
		}
		placed = true
	}
	ix.publish(parts, nil, numbers)
}
