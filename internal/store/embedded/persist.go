package embedded

import (
	"context"
	"encoding/binary"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"

	"postern/internal/metadata"
	"postern/internal/segment"
)

// Flush writes the tail out as a segment, so that a start need not parse it again.
func (s *Store) Flush(_ context.Context, meta *metadata.Index) error {
	ix, err := s.index(meta)
	if err != nil {
		return err
	}
	return ix.persistAll()
}

// persistFull writes out the tails that take no more documents.
func (ix *index) persistFull() error { return ix.persist(false) }

// persistAll writes out the last tail too; the next write begins a new one.
func (ix *index) persistAll() error { return ix.persist(true) }

// persist turns the leading tails into segments on disk. Columns are built and written
// without the index's lock; snapshots go on reading the tails that they hold.
func (ix *index) persist(last bool) error {
	ix.refreshing.Lock()
	defer ix.refreshing.Unlock()
	for {
		ix.mu.Lock()
		var next *run
		for i, r := range ix.runs {
			if r.seg == nil && r.len() > 0 && (i < len(ix.runs)-1 || last) && !ix.dropped {
				next = r
				break
			}
		}
		if next != nil && next == ix.runs[len(ix.runs)-1] {
			// Nothing is appended behind what is written out.
			ix.nextRun++
			ix.runs = append(ix.runs, &run{number: ix.nextRun, tail: segment.NewTail()})
		}
		ix.mu.Unlock()
		if next == nil {
			return nil
		}
		if err := ix.persistRun(next); err != nil {
			return err
		}
	}
}

func (ix *index) persistRun(r *run) error {
	built := r.tail.Seal()
	batch := ix.s.db.NewBatch()
	defer batch.Close()
	if err := ix.encode(batch, r.number, built); err != nil {
		return err
	}
	opened, err := ix.openSegment(batchOrDB{ix.s.db, batch}, r.number)
	if err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.dropped {
		return nil
	}
	r.persisted = true
	if err := ix.writeManifest(batch); err != nil {
		r.persisted = false
		return err
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		r.persisted = false
		return err
	}
	// The tail's documents are all shown by their run; the segment read from disk takes
	// its place at the next refresh, with no more columns in memory than are asked for.
	r.seg, r.tail, r.live = opened, nil, nil
	return nil
}

func (ix *index) encode(batch *pebble.Batch, number uint64, s *segment.Segment) error {
	return s.Encode(func(name string, blob []byte) error {
		return batch.Set(blobKey(ix.uuid, number, name), blob, nil)
	})
}

// batchOrDB reads the database only: by the time a column is asked for, the batch has
// been committed. The header, which is read at once, comes from the batch.
type batchOrDB struct {
	db    *pebble.DB
	batch *pebble.Batch
}

func (ix *index) openSegment(from batchOrDB, number uint64) (*segment.Segment, error) {
	opening := from.batch != nil
	var header []byte
	if opening {
		r := from.batch.Reader()
		want := string(blobKey(ix.uuid, number, "h"))
		for {
			_, k, v, ok, err := r.Next()
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			if string(k) == want {
				header = append([]byte(nil), v...)
				break
			}
		}
	}
	return segment.Open(func(name string) ([]byte, error) {
		if name == "h" && header != nil {
			return header, nil
		}
		return get(from.db, blobKey(ix.uuid, number, name))
	})
}

// writeManifest puts the list of persisted runs, with their dead documents, into a batch.
// ix.mu is held.
func (ix *index) writeManifest(batch *pebble.Batch) error {
	var b []byte
	count := uint64(0)
	for _, r := range ix.runs {
		if r.persisted {
			count++
		}
	}
	b = binary.AppendUvarint(b, ix.nextRun)
	b = binary.AppendUvarint(b, count)
	for _, r := range ix.runs {
		if !r.persisted {
			continue
		}
		b = binary.AppendUvarint(b, r.number)
		b = binary.AppendUvarint(b, uint64(r.first))
		b = binary.AppendUvarint(b, uint64(r.last))
		var dead []byte
		if r.dead != nil {
			dead, _ = r.dead.ToBytes() // into memory: it can't fail
		}
		b = appendBytes(b, string(dead))
	}
	return batch.Set(key(kindManifest, ix.uuid), b, nil)
}

// readManifest lists the persisted runs and the number of the newest run.
func readManifest(b []byte) (runs []*run, newest uint64, err error) {
	r := reader{b: b}
	newest = r.uint()
	for range r.uint() {
		x := &run{persisted: true, number: r.uint(), first: int64(r.uint()), last: int64(r.uint())}
		if dead := r.bytes(); len(dead) > 0 {
			x.dead = roaring.New()
			if err := x.dead.UnmarshalBinary(dead); err != nil {
				return nil, 0, err
			}
		}
		if r.err != nil {
			break
		}
		runs = append(runs, x)
	}
	return runs, newest, r.err
}
