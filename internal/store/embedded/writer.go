package embedded

import (
	"bytes"
	"encoding/binary"
	"errors"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"postern/internal/store"
)

// writer carries out one call.
type writer struct {
	ix        *index
	mutations []store.Mutation
	results   []store.Result
	done      int   // mutations so far
	last      int64 // the highest _seq_no given, -1 for none
	// unsynced is the batch of the last chunk.
	unsynced *pebble.Batch

	// Of the chunk under way:
	batch    *pebble.Batch
	now      int64 // milliseconds since 1970
	next     int64
	seen     map[string]*written
	puts     []*store.Next
	replaced []replacement
	deletes  int64
	ids      *pebble.Iterator // over the id records, as they were before the chunk
	key, buf []byte
}

// written is the state of an _id after the chunk so far.
type written struct {
	idRecord
	routing string
	source  []byte
}

// chunk decides and applies the next mutations, one batch of them.
func (w *writer) chunk() error {
	ix := w.ix
	w.batch = ix.s.db.NewBatch()
	defer func() {
		if w.batch != w.unsynced {
			w.batch.Close()
		}
	}()
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.dropped.Load() {
		return store.ErrNoIndex
	}
	w.now, w.next = time.Now().UnixMilli(), ix.nextSeq
	w.puts, w.replaced, w.deletes, w.seen = w.puts[:0], w.replaced[:0], 0, nil
	if len(w.mutations)-w.done > 1 {
		w.seen = make(map[string]*written, min(len(w.mutations)-w.done, 1024))
	}
	defer w.closeIDs()
	for ; w.done < len(w.mutations) && w.batch.Len() < ix.s.opts.sizes.chunk; w.done++ {
		if err := w.mutate(&w.mutations[w.done], &w.results[w.done]); err != nil {
			return err
		}
	}
	if w.batch.Empty() {
		return nil
	}
	if err := w.batch.Set(prefix(kindNext, ix.uuid), appendNext(w.buf[:0], w.next, ix.term), nil); err != nil {
		return err
	}
	if w.done < len(w.mutations) {
		if err := ix.s.db.Apply(w.batch, pebble.NoSync); err != nil {
			return err
		}
	} else {
		if err := ix.s.db.ApplyNoSyncWait(w.batch, pebble.Sync); err != nil {
			return err
		}
		w.unsynced = w.batch
	}
	w.follow()
	return nil
}

// follow brings memory to where the database is now; ix.mu is held.
func (w *writer) follow() {
	ix := w.ix
	ix.nextSeq, w.last = w.next, w.next-1
	ix.replaced = append(ix.replaced, w.replaced...)
	for _, n := range w.puts {
		ix.tail().append(n.Doc)
	}
	ix.indexed.Add(int64(len(w.puts)))
	ix.deleted.Add(w.deletes)
	if w.deletes > 0 {
		ix.sweepLater()
	}
	ix.tick()
}

// sync waits until everything that was applied survives a crash.
func (w *writer) sync() error {
	if w.unsynced == nil {
		if w.last < 0 {
			return nil
		}
		return w.ix.sync(w.last + 1) // the last chunk changed nothing
	}
	err := errors.Join(w.unsynced.SyncWait(), w.unsynced.Close())
	if err == nil {
		w.ix.noteSynced(w.last + 1)
	}
	return err
}

// mutate decides one mutation and puts it into the batch.
func (w *writer) mutate(m *store.Mutation, result *store.Result) error {
	before, prior, err := w.prior(m)
	if err != nil {
		return err
	}
	next, err := m.Apply(prior)
	result.Found = prior.Found
	if err == nil && next.Action == store.Put {
		err = w.ix.s.budget.admit(int64(len(next.Source)))
	}
	if err != nil {
		result.Err = err
		return nil
	}
	result.Action = next.Action
	if next.Action == store.Noop {
		result.Version, result.SeqNo, result.PrimaryTerm, result.Source = prior.Version, prior.SeqNo, prior.PrimaryTerm, prior.Source
		return nil
	}
	uuid, seq := w.ix.uuid, w.next
	w.next++
	result.Version, result.SeqNo, result.PrimaryTerm = next.Version, seq, w.ix.term
	now := &written{idRecord: idRecord{seq: seq, version: next.Version, term: w.ix.term}}
	if next.Action == store.Delete {
		now.deleted, now.deletedAt = true, w.now
		w.deletes++
		w.key = appendTombstoneKey(w.key[:0], uuid, w.now, m.ID)
		if err := w.batch.Set(w.key, nil, nil); err != nil {
			return err
		}
	} else {
		doc := next.Doc
		doc.ID, doc.Routing, doc.SeqNo, doc.Version = m.ID, next.Routing, seq, next.Version
		now.routing, now.source = next.Routing, next.Source
		result.Source = next.Source
		w.buf = appendDocument(w.buf[:0], m.ID, w.ix.term, &next)
		w.key = appendSeqKey(w.key[:0], kindDocument, uuid, seq)
		if err := w.batch.Set(w.key, w.buf, nil); err != nil {
			return err
		}
		w.puts = append(w.puts, &next)
	}
	if before != nil && !before.deleted {
		w.replaced = append(w.replaced, replacement{seq: before.seq, by: seq})
		w.key = appendSeqKey(w.key[:0], kindGarbage, uuid, before.seq)
		if err := w.batch.Set(w.key, nil, nil); err != nil {
			return err
		}
	}
	if w.seen != nil {
		w.seen[m.ID] = now
	}
	w.buf = now.append(w.buf[:0])
	w.key = appendIDKey(w.key[:0], uuid, m.ID)
	return w.batch.Set(w.key, w.buf, nil)
}

// prior reads what is there: in this chunk, else in the database. A tombstone beyond its
// time is as if it were not there.
func (w *writer) prior(m *store.Mutation) (*idRecord, store.Prior, error) {
	if s := w.seen[m.ID]; s != nil {
		p := priorOf(s.idRecord)
		p.Routing, p.Source = s.routing, s.source
		return &s.idRecord, p, nil
	}
	if m.Fresh {
		return nil, store.Prior{}, nil
	}
	db, uuid := w.ix.s.db, w.ix.uuid
	w.key = appendIDKey(w.key[:0], uuid, m.ID)
	rec, found, err := w.find(w.key)
	if err != nil || !found {
		return nil, store.Prior{}, err
	}
	if rec.deleted && w.now-rec.deletedAt > w.ix.settings.Load().gcDeletes.Milliseconds() {
		return &rec, store.Prior{}, nil
	}
	p := priorOf(rec)
	if p.Found && m.NeedSource {
		w.key = appendSeqKey(w.key[:0], kindDocument, uuid, rec.seq)
		b, err := get(db, w.key)
		if err != nil {
			return nil, p, err
		}
		stored, err := readDocument(b, rec.seq)
		if err != nil {
			return nil, p, err
		}
		p.Routing, p.Source = stored.Routing, stored.Source
	}
	return &rec, p, nil
}

// find reads an id record. The many of a chunk are read with one iterator, which asks the
// filters of all levels; nobody else writes to the index meanwhile.
func (w *writer) find(key []byte) (rec idRecord, found bool, err error) {
	if w.seen == nil {
		return lookUp(w.ix.s.db, key)
	}
	if w.ids == nil {
		all := prefix(kindID, w.ix.uuid)
		w.ids, err = w.ix.s.db.NewIter(&pebble.IterOptions{LowerBound: all, UpperBound: after(all), UseL6Filters: true})
		if err != nil {
			return rec, false, err
		}
	}
	if !w.ids.SeekPrefixGE(key) || !bytes.Equal(w.ids.Key(), key) {
		return rec, false, w.ids.Error()
	}
	v, err := w.ids.ValueAndErr()
	if err != nil {
		return rec, false, err
	}
	rec, err = readID(v)
	return rec, true, err
}

func (w *writer) closeIDs() {
	if w.ids != nil {
		w.ids.Close() // its errors have been reported by find
		w.ids = nil
	}
}

func priorOf(r idRecord) store.Prior {
	return store.Prior{Found: !r.deleted, Tombstone: r.deleted, Version: r.version, SeqNo: r.seq, PrimaryTerm: r.term}
}

func appendNext(dst []byte, seq, term int64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(dst, uint64(seq)), uint64(term))
}

func readNext(b []byte) (seq, term int64, err error) {
	r := reader{b: b}
	return r.int(), r.int(), r.err
}
