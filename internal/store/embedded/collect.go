package embedded

import (
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"
)

// removeSoon sees to it that garbage which became free is removed; mu is held.
func (ix *index) removeSoon() {
	if ix.removing {
		return
	}
	ix.removing = true
	after := ix.s.opts.sizes.removeAfter
	if ix.states.waste() >= ix.s.opts.sizes.removeAt || ix.dropped.Load() {
		after = 0
	}
	time.AfterFunc(after, func() {
		ix.mu.Lock()
		ix.removing = false
		ix.mu.Unlock()
		ix.s.chores.add(ix)
	})
}

func (ix *index) removeLater() {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.removeSoon()
}

// collect removes document records and runs that no snapshot reads any more. What is dead
// in the persisted columns is written with it: a record's mark as garbage may go only when
// that says the same.
func (ix *index) collect() error {
	if ix.dropped.Load() {
		return ix.vanish()
	}
	g := ix.states.freed()
	if g.empty() {
		return nil
	}
	ix.manifest.Lock()
	defer ix.manifest.Unlock()
	batch := ix.s.db.NewBatch()
	defer batch.Close()
	var key []byte
	for _, seq := range g.records {
		for _, kind := range []byte{kindDocument, kindGarbage} {
			key = appendSeqKey(key[:0], kind, ix.uuid, seq)
			if err := batch.Delete(key, nil); err != nil {
				return err
			}
		}
	}
	for _, number := range g.runs {
		if err := ix.removeRun(batch, number); err != nil {
			return err
		}
	}
	changed := map[*run]*roaring.Bitmap{}
	ix.mu.Lock()
	for _, r := range ix.runs {
		if r.persisted() && r.dead != r.saved {
			changed[r] = r.dead
		}
	}
	ix.mu.Unlock()
	for r, dead := range changed {
		if err := ix.setDead(batch, r.number, dead); err != nil {
			return err
		}
	}
	if err := batch.Commit(pebble.NoSync); err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for r, dead := range changed {
		r.saved = dead
	}
	return nil
}

// vanish erases a dropped index when nobody reads it any more.
func (ix *index) vanish() error {
	ix.manifest.Lock() // what is being persisted or merged comes to its end
	defer ix.manifest.Unlock()
	if !ix.states.unread() {
		return nil
	}
	if err := ix.s.erase(ix.uuid); err != nil {
		return err
	}
	ix.s.mu.Lock()
	delete(ix.s.dropped, ix.uuid)
	ix.s.mu.Unlock()
	return nil
}
