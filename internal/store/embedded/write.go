package embedded

import (
	"context"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"postern/internal/metadata"
	"postern/internal/store"
)

// Write applies mutations; see store.Documents.
//
// One call is one batch and one sync, which it shares with the calls of other clients:
// only reading, deciding and applying to memory happen under the index's lock.
func (s *Store) Write(ctx context.Context, meta *metadata.Index, mutations []store.Mutation, refresh store.Refresh) ([]store.Result, error) {
	ix, err := s.index(meta)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.overBudget() {
		return nil, store.ErrRefused
	}
	batch := s.db.NewBatch()
	defer batch.Close()
	results, last, err := ix.apply(batch, mutations)
	if err != nil {
		return nil, err
	}
	if batch.Count() > 0 {
		if err := batch.SyncWait(); err != nil {
			return nil, err
		}
	}
	switch refresh {
	case store.RefreshNow:
		if batch.Count() > 0 {
			err = ix.refresh(ctx)
		}
	case store.RefreshWait:
		if last >= 0 {
			err = ix.waitVisible(ctx, last)
		}
	}
	return results, err
}

// apply decides the mutations and puts them into the database's memory, without waiting
// for the sync. last is the highest _seq_no given, -1 for none.
func (ix *index) apply(batch *pebble.Batch, mutations []store.Mutation) (results []store.Result, last int64, err error) {
	results = make([]store.Result, len(mutations))
	last = -1
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.dropped {
		return nil, -1, store.ErrNoIndex
	}
	w := writer{ix: ix, batch: batch, now: time.Now().UnixMilli(), next: ix.nextSeq}
	if len(mutations) > 1 {
		w.seen = make(map[string]*written, len(mutations))
	}
	for i := range mutations {
		if results[i], err = w.mutate(&mutations[i]); err != nil {
			return nil, -1, err
		}
	}
	if batch.Count() == 0 {
		return results, -1, nil
	}
	if err := batch.Set(key(kindNextSeq, ix.uuid), appendNextSeq(nil, w.next), nil); err != nil {
		return nil, -1, err
	}
	if err := ix.s.db.ApplyNoSyncWait(batch, pebble.Sync); err != nil {
		return nil, -1, err
	}
	// From here on the batch is in the database; memory follows.
	ix.nextSeq = w.next
	ix.dead = append(ix.dead, w.dead...)
	ix.dirty = true
	for i := range w.puts {
		r := ix.tail()
		if r.len() == 0 {
			r.first = w.puts[i].Doc.SeqNo
		}
		r.tail.Append(w.puts[i].Doc)
		r.last = w.puts[i].Doc.SeqNo
	}
	ix.indexed.Add(int64(len(w.puts)))
	ix.deleted.Add(w.deletes)
	return results, w.next - 1, nil
}

// writer builds one batch.
type writer struct {
	ix      *index
	batch   *pebble.Batch
	now     int64
	next    int64
	seen    map[string]*written // by _id, of this batch
	puts    []store.Next
	dead    []int64
	deletes int64
	buf     []byte
}

// written is the state of an _id after the batch so far.
type written struct {
	idRecord
	routing string
	source  []byte
}

func (w *writer) mutate(m *store.Mutation) (store.Result, error) {
	before, prior, err := w.prior(m)
	if err != nil {
		return store.Result{}, err
	}
	next, err := m.Apply(prior)
	if err != nil {
		return store.Result{Err: err, Found: prior.Found}, nil
	}
	result := store.Result{Action: next.Action, Found: prior.Found, PrimaryTerm: primaryTerm}
	if next.Action == store.Noop {
		result.Version, result.SeqNo, result.Source = prior.Version, prior.SeqNo, prior.Source
		return result, nil
	}
	seq := w.next
	w.next++
	result.Version, result.SeqNo = next.Version, seq
	after := &written{idRecord: idRecord{seq: seq, version: next.Version}}
	b, uuid := w.batch, w.ix.uuid
	if next.Action == store.Delete {
		after.deleted, after.deletedAt = true, w.now
		w.deletes++
		if err := b.Set(tombstoneKey(uuid, w.now, m.ID), nil, nil); err != nil {
			return result, err
		}
	} else {
		next.Doc.ID, next.Doc.Routing, next.Doc.SeqNo, next.Doc.Version = m.ID, next.Routing, seq, next.Version
		after.routing, after.source = next.Routing, next.Source
		result.Source = next.Source
		w.buf = appendDocument(w.buf[:0], m.ID, next)
		if err := b.Set(seqKey(kindDocument, uuid, seq), w.buf, nil); err != nil {
			return result, err
		}
		w.puts = append(w.puts, next)
	}
	if before != nil && !before.deleted {
		w.dead = append(w.dead, before.seq)
		if err := b.Set(seqKey(kindGarbage, uuid, before.seq), nil, nil); err != nil {
			return result, err
		}
	}
	w.buf = after.append(w.buf[:0])
	if err := b.Set(idKey(uuid, m.ID), w.buf, nil); err != nil {
		return result, err
	}
	if w.seen != nil {
		w.seen[m.ID] = after
	}
	return result, nil
}

// prior reads what is there now: in this batch, else in the database. A tombstone beyond
// its time is as if it were not there.
func (w *writer) prior(m *store.Mutation) (*idRecord, store.Prior, error) {
	if s := w.seen[m.ID]; s != nil {
		p := priorOf(s.idRecord)
		p.Routing, p.Source = s.routing, s.source
		return &s.idRecord, p, nil
	}
	db, uuid := w.ix.s.db, w.ix.uuid
	b, err := get(db, idKey(uuid, m.ID))
	if err != nil || b == nil {
		return nil, store.Prior{}, err
	}
	rec, err := readID(b)
	if err != nil {
		return nil, store.Prior{}, err
	}
	if rec.deleted && w.now-rec.deletedAt > w.ix.gcDeletes().Milliseconds() {
		return &rec, store.Prior{}, nil
	}
	p := priorOf(rec)
	if p.Found && m.NeedSource {
		b, err := get(db, seqKey(kindDocument, uuid, rec.seq))
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

func priorOf(r idRecord) store.Prior {
	return store.Prior{Found: !r.deleted, Tombstone: r.deleted, Version: r.version, SeqNo: r.seq, PrimaryTerm: primaryTerm}
}

// gcDeletes is how long a deletion is remembered (index.gc_deletes).
func (ix *index) gcDeletes() time.Duration {
	return ix.meta.Load().Settings.Duration("index.gc_deletes", time.Minute)
}
