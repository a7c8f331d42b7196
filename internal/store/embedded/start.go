package embedded

import (
	"encoding/binary"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
)

// start reads the catalog and opens each of its indices. Only documents that no
// persisted segment holds are parsed again.
func (s *Store) start() error {
	b, err := get(s.db, []byte{kindFormat})
	if err != nil {
		return err
	}
	if b == nil {
		if err := s.db.Set([]byte{kindFormat}, binary.AppendUvarint(nil, formatVersion), pebble.Sync); err != nil {
			return err
		}
	} else if v, n := binary.Uvarint(b); n <= 0 || v > formatVersion {
		return fmt.Errorf("%w: %d, this version reads up to %d", store.ErrFormat, v, formatVersion)
	}
	if b, err = get(s.db, []byte{kindCatalog}); err != nil {
		return err
	}
	if b == nil {
		state := s.opts.NewState()
		if err := s.db.Set([]byte{kindCatalog}, state.AppendBinary(nil), pebble.Sync); err != nil {
			return err
		}
		s.catalog.Store(state)
	} else {
		state, err := metadata.Decode(b)
		if err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		s.catalog.Store(state)
	}
	known := map[string]bool{}
	for _, meta := range s.catalog.Load().Indices() {
		known[meta.UUID] = true
		ix := newIndex(s, meta)
		if err := ix.open(meta); err != nil {
			return fmt.Errorf("index [%s]: %w", meta.Name, err)
		}
		s.indices[meta.UUID] = ix
	}
	return s.eraseUnknown(known)
}

// eraseUnknown removes what a crash left of indices that were being created or deleted.
func (s *Store) eraseUnknown(known map[string]bool) error {
	var unknown []string
	for _, kind := range []byte(perIndex) {
		from := []byte{kind}
		for {
			var uuid string
			it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: after([]byte{kind})})
			if err != nil {
				return err
			}
			if it.First() {
				for i, c := range it.Key() {
					if c == 0 {
						uuid = string(it.Key()[1:i])
						break
					}
				}
			}
			if err := it.Close(); err != nil {
				return err
			}
			if uuid == "" {
				break
			}
			if !known[uuid] {
				unknown = append(unknown, uuid)
			}
			from = after(key(kind, uuid))
		}
	}
	for _, uuid := range unknown {
		if err := s.erase(uuid); err != nil {
			return err
		}
	}
	return nil
}

// open reads the index's manifest, marks what was replaced since it was written, and
// replays the documents behind it.
func (ix *index) open(meta *metadata.Index) error {
	db := ix.s.db
	b, err := get(db, key(kindManifest, ix.uuid))
	if err != nil {
		return err
	}
	persisted := int64(-1)
	if b != nil {
		if ix.runs, ix.nextRun, err = readManifest(b); err != nil {
			return err
		}
		for _, r := range ix.runs {
			if r.seg, err = ix.openSegment(batchOrDB{db: db}, r.number); err != nil {
				return err
			}
			persisted = r.last
		}
	}
	if b, err = get(db, key(kindNextSeq, ix.uuid)); err != nil {
		return err
	}
	if b != nil {
		n, _ := binary.Uvarint(b)
		ix.nextSeq = int64(n)
	}
	var garbage []int64
	replaced := map[int64]bool{}
	err = scan(db, key(kindGarbage, ix.uuid), nil, func(k, _ []byte) error {
		garbage = append(garbage, seqOf(k))
		replaced[seqOf(k)] = true
		return nil
	})
	if err != nil {
		return err
	}
	ix.bury(garbage)
	if err := ix.replay(meta, persisted, replaced); err != nil {
		return err
	}
	ix.visibleSeq = ix.nextSeq
	ix.show(nil, nil)
	// Nobody holds a snapshot from before the start.
	ix.freed.garbage = append(ix.freed.garbage, garbage...)
	ix.s.wake(ix)
	return nil
}

func (ix *index) replay(meta *metadata.Index, persisted int64, replaced map[int64]bool) error {
	var doc mapping.Document
	return scan(ix.s.db, key(kindDocument, ix.uuid), seqKey(kindDocument, ix.uuid, persisted+1), func(k, v []byte) error {
		seq := seqOf(k)
		if replaced[seq] {
			return nil
		}
		stored, err := readDocument(v, seq)
		if err != nil {
			return err
		}
		if err := ix.s.opts.Parse(meta, &doc, stored.ID, stored.Routing, append([]byte(nil), stored.Source...)); err != nil {
			return fmt.Errorf("document [%s]: %w", stored.ID, err)
		}
		doc.ID, doc.Routing, doc.SeqNo, doc.Version = stored.ID, stored.Routing, seq, stored.Version
		r := ix.tail()
		if r.len() == 0 {
			r.first = seq
		}
		r.tail.Append(&doc)
		r.last = seq
		return nil
	})
}
