package embedded

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

const (
	// sweepSlack is how long old tombstones may stay.
	sweepSlack = time.Second
	// sweepAt is how many are removed in one step, during which no one writes.
	sweepAt = 256
)

// sweepLater sees to it that tombstones are removed when they are old; mu is held.
func (ix *index) sweepLater() {
	if ix.sweeping {
		return
	}
	ix.sweeping = true
	time.AfterFunc(ix.settings.Load().gcDeletes+sweepSlack, func() {
		ix.mu.Lock()
		ix.sweeping = false
		ix.sweepDue = true
		ix.mu.Unlock()
		ix.s.chores.add(ix)
	})
}

// sweepTombstones forgets old deletions, if it is time to look for them.
func (ix *index) sweepTombstones() error {
	ix.mu.Lock()
	due := ix.sweepDue && !ix.dropped.Load()
	ix.sweepDue = false
	ix.mu.Unlock()
	for more := due; more; {
		var err error
		if more, err = ix.sweep(); err != nil {
			return err
		}
	}
	return nil
}

// sweep forgets some deletions; more says that there are further old ones.
func (ix *index) sweep() (more bool, err error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	limit := time.Now().Add(-ix.settings.Load().gcDeletes).UnixMilli()
	all := prefix(kindTombstone, ix.uuid)
	it, err := ix.s.db.NewIter(&pebble.IterOptions{LowerBound: all, UpperBound: after(all)})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	batch := ix.s.db.NewBatch()
	defer batch.Close()
	for ok := it.First(); ok; ok = it.Next() {
		rest := it.Key()[len(all):]
		if int64(binary.BigEndian.Uint64(rest)) > limit {
			ix.sweepLater()
			break
		}
		if more = batch.Count() >= sweepAt; more {
			break
		}
		if err := ix.forget(batch, string(rest[8:]), limit); err != nil {
			return false, err
		}
		if err := batch.Delete(append([]byte(nil), it.Key()...), nil); err != nil {
			return false, err
		}
	}
	if err := it.Error(); err != nil || batch.Empty() {
		return false, err
	}
	return more, batch.Commit(pebble.NoSync)
}

// forget removes the id record of a document that was deleted before the limit and has not
// come back.
func (ix *index) forget(batch *pebble.Batch, id string, limit int64) error {
	key := appendIDKey(nil, ix.uuid, id)
	rec, found, err := lookUp(ix.s.db, key)
	if err != nil || !found || !rec.deleted || rec.deletedAt > limit {
		return err
	}
	return batch.Delete(key, nil)
}
