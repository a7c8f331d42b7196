package embedded

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"postern/internal/mapping"
)

// open reads what the database has of the index, and begins a new primary term; next
// receives it.
func (ix *index) open(next *pebble.Batch) error {
	db := ix.s.db
	b, err := get(db, prefix(kindNext, ix.uuid))
	if err != nil {
		return err
	}
	if b != nil {
		if ix.nextSeq, ix.term, err = readNext(b); err != nil {
			return err
		}
	}
	ix.term++
	if err := next.Set(prefix(kindNext, ix.uuid), appendNext(nil, ix.nextSeq, ix.term), nil); err != nil {
		return err
	}
	if err := ix.openRuns(); err != nil {
		return err
	}
	garbage, err := ix.findGarbage()
	if err != nil {
		return err
	}
	if err := ix.replay(garbage); err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.synced.Store(ix.nextSeq)
	ix.visible = ix.nextSeq
	for _, r := range ix.runs {
		r.show(ix.visible)
	}
	ix.bury(ix.nextSeq)
	ix.publish(garbage)
	if t, err := first(db, prefix(kindTombstone, ix.uuid), prefix(kindTombstone, ix.uuid)); err != nil {
		return err
	} else if t != nil {
		ix.sweepLater()
	}
	ix.s.chores.add(ix)
	ix.s.merges.add(ix)
	return nil
}

// openRuns opens the runs that the manifest lists, and removes what was written of others.
func (ix *index) openRuns() error {
	b, err := get(ix.s.db, prefix(kindManifest, ix.uuid))
	if err != nil {
		return err
	}
	listed := map[uint64]bool{}
	if b != nil {
		if ix.runs, err = readManifest(b); err != nil {
			return err
		}
	}
	for _, r := range ix.runs {
		listed[r.number] = true
		ix.lastRun = max(ix.lastRun, r.number)
		if r.dead, err = ix.readDead(r.number); err != nil {
			return err
		}
		r.saved = r.dead
		if r.seg, err = ix.openRun(r.number); err != nil {
			return err
		}
	}
	all := prefix(kindPiece, ix.uuid)
	for from := all; ; {
		k, err := first(ix.s.db, all, from)
		if err != nil || k == nil {
			return err
		}
		number := uint64(seqOf(k[:len(all)+8]))
		ix.lastRun = max(ix.lastRun, number)
		if !listed[number] {
			batch := ix.s.db.NewBatch()
			if err := ix.removeRun(batch, number); err != nil {
				return err
			}
			if err := batch.Commit(pebble.NoSync); err != nil {
				return err
			}
		}
		from = after(runKey(ix.uuid, number))
	}
}

// findGarbage lists the document records that are marked as replaced: nobody holds a
// snapshot from before the start.
func (ix *index) findGarbage() (g garbage, err error) {
	err = scan(ix.s.db, prefix(kindGarbage, ix.uuid), nil, func(k, _ []byte) error {
		seq := seqOf(k)
		g.records = append(g.records, seq)
		ix.replaced = append(ix.replaced, replacement{seq: seq, by: -1})
		return nil
	})
	return g, err
}

// replay makes tails of the documents that no run holds.
func (ix *index) replay(garbage garbage) error {
	replaced := make(map[int64]bool, len(garbage.records))
	for _, seq := range garbage.records {
		replaced[seq] = true
	}
	from := int64(0)
	if n := len(ix.runs); n > 0 {
		from = ix.runs[n-1].last + 1
	}
	meta := ix.settings.Load().meta
	var doc mapping.Document
	return scan(ix.s.db, prefix(kindDocument, ix.uuid), seqKey(kindDocument, ix.uuid, from), func(k, v []byte) error {
		seq := seqOf(k)
		if replaced[seq] {
			return nil
		}
		stored, err := readDocument(append([]byte(nil), v...), seq)
		if err != nil {
			return fmt.Errorf("document record %d: %w", seq, err)
		}
		if err := ix.s.opts.Parse(meta, &doc, stored.ID, stored.Routing, stored.Source); err != nil {
			// The mapping has become stricter than it was when the document was taken. It
			// stays a document, without columns, rather than make the start fail.
			ix.s.log.Warn("a document is no longer what the mapping takes; no search by its fields will find it",
				"index", meta.Name, "id", stored.ID, "error", err)
			doc = mapping.Document{Ignored: stored.Ignored}
		}
		doc.ID, doc.Routing, doc.SeqNo, doc.Version = stored.ID, stored.Routing, seq, stored.Version
		ix.tail().append(&doc)
		return nil
	})
}
