package embedded

import (
	"encoding/binary"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"
)

// setManifest puts the list of persisted runs into a batch.
func (ix *index) setManifest(batch *pebble.Batch, runs []*run) error {
	var list []byte
	n := uint64(0)
	for _, r := range runs {
		if r.persisted() {
			n++
			list = binary.AppendUvarint(list, r.number)
			list = binary.AppendUvarint(list, uint64(r.first))
			list = binary.AppendUvarint(list, uint64(r.last))
			list = binary.AppendUvarint(list, uint64(r.size))
		}
	}
	return batch.Set(prefix(kindManifest, ix.uuid), append(binary.AppendUvarint(nil, n), list...), nil)
}

// readManifest lists the persisted runs; their segments are not open yet.
func readManifest(b []byte) (runs []*run, err error) {
	r := reader{b: b}
	for range r.uint() {
		runs = append(runs, &run{number: r.uint(), first: r.int(), last: r.int(), size: r.int()})
		if r.err != nil {
			break
		}
	}
	return runs, r.err
}

// setDead puts a run's dead documents into a batch.
func (ix *index) setDead(batch *pebble.Batch, number uint64, dead *roaring.Bitmap) error {
	if dead == nil {
		return nil
	}
	b, err := dead.ToBytes()
	if err != nil {
		return err
	}
	return batch.Set(seqKey(kindDead, ix.uuid, int64(number)), b, nil)
}

// readDead gives a run's dead documents as they were saved; nil is none.
func (ix *index) readDead(number uint64) (*roaring.Bitmap, error) {
	b, err := get(ix.s.db, seqKey(kindDead, ix.uuid, int64(number)))
	if err != nil || b == nil {
		return nil, err
	}
	dead := roaring.New()
	return dead, dead.UnmarshalBinary(b)
}

// removeRun puts the removal of a run's pieces into a batch.
func (ix *index) removeRun(batch *pebble.Batch, number uint64) error {
	p := runKey(ix.uuid, number)
	if err := batch.DeleteRange(p, after(p), nil); err != nil {
		return err
	}
	return batch.Delete(seqKey(kindDead, ix.uuid, int64(number)), nil)
}
