package embedded

import (
	"encoding/binary"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// collect removes document records and segments that no snapshot reads any more. The
// manifest is written with it: a record's mark as garbage may go only when the manifest
// says that the document is dead.
func (ix *index) collect() error {
	ix.states.Lock()
	garbage, segments := ix.freed.garbage, ix.freed.segments
	ix.freed.garbage, ix.freed.segments = nil, nil
	gone := len(ix.held) == 1 && ix.held[0].refs.Load() == 1
	ix.states.Unlock()
	ix.mu.Lock()
	dropped := ix.dropped
	ix.mu.Unlock()
	if dropped {
		if gone {
			return ix.s.erase(ix.uuid)
		}
		return nil
	}
	if len(garbage)+len(segments) == 0 {
		return nil
	}
	batch := ix.s.db.NewBatch()
	defer batch.Close()
	for _, seq := range garbage {
		if err := batch.Delete(seqKey(kindDocument, ix.uuid, seq), nil); err != nil {
			return err
		}
		if err := batch.Delete(seqKey(kindGarbage, ix.uuid, seq), nil); err != nil {
			return err
		}
	}
	for _, n := range segments {
		prefix := blobKey(ix.uuid, n, "")
		if err := batch.DeleteRange(prefix, after(prefix), nil); err != nil {
			return err
		}
	}
	ix.mu.Lock()
	err := ix.writeManifest(batch)
	ix.mu.Unlock()
	if err != nil {
		return err
	}
	return batch.Commit(pebble.NoSync)
}

// sweepTombstones forgets deletions that are older than the index remembers them.
func (ix *index) sweepTombstones(now time.Time) error {
	limit := now.Add(-ix.gcDeletes()).UnixMilli()
	prefix := key(kindTombstone, ix.uuid)
	ix.mu.Lock()
	defer ix.mu.Unlock()
	batch := ix.s.db.NewBatch()
	defer batch.Close()
	end := binary.BigEndian.AppendUint64(append([]byte(nil), prefix...), uint64(max(limit, 0)))
	it, err := ix.s.db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: end})
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok && batch.Count() < 10_000; ok = it.Next() {
		k := append([]byte(nil), it.Key()...)
		id := string(k[len(prefix)+8:])
		if err := batch.Delete(k, nil); err != nil {
			return err
		}
		b, err := get(ix.s.db, idKey(ix.uuid, id))
		if err != nil {
			return err
		}
		if b == nil {
			continue
		}
		rec, err := readID(b)
		if err != nil {
			return err
		}
		if rec.deleted && rec.deletedAt <= limit {
			if err := batch.Delete(idKey(ix.uuid, id), nil); err != nil {
				return err
			}
		}
	}
	if batch.Count() == 0 {
		return it.Error()
	}
	return batch.Commit(pebble.NoSync)
}
