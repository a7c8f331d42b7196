package embedded

import (
	"context"
	"slices"

	"postern/internal/metadata"
	"postern/internal/store"
)

// Get reads documents by _id; see store.Documents.
func (s *Store) Get(ctx context.Context, meta *metadata.Index, ids []string, realtime bool) ([]store.Stored, error) {
	ix, leave, err := s.enter(meta)
	if err != nil {
		return nil, err
	}
	defer leave()
	ix.gets.Add(int64(len(ids)))
	out := make([]store.Stored, len(ids))
	if !realtime {
		return out, ix.getVisible(ctx, ids, out)
	}
	for i, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if out[i], err = ix.get(id); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// get reads the newest document of an _id. Between the two reads another write may replace
// it, and what was read first may be removed; then it is read again.
func (ix *index) get(id string) (store.Stored, error) {
	key := make([]byte, 0, len(ix.uuid)+len(id)+10)
	for {
		rec, found, err := lookUp(ix.s.db, appendIDKey(key, ix.uuid, id))
		if err != nil || !found {
			return store.Stored{ID: id}, err
		}
		// Nobody is told of a write that a crash could still take back.
		if err := ix.sync(rec.seq + 1); err != nil {
			return store.Stored{}, err
		}
		if rec.deleted {
			return store.Stored{ID: id}, nil
		}
		b, err := get(ix.s.db, appendSeqKey(key, kindDocument, ix.uuid, rec.seq))
		if err != nil {
			return store.Stored{}, err
		}
		if b != nil {
			return readDocument(b, rec.seq)
		}
	}
}

// getVisible reads documents as searches see them.
func (ix *index) getVisible(ctx context.Context, ids []string, out []store.Stored) error {
	snap, err := ix.search()
	if err != nil {
		return err
	}
	defer snap.Release()
	var docs []uint32
	for i, id := range ids {
		out[i].ID = id
		for _, p := range slices.Backward(snap.parts) {
			docs = p.DocsOfID(docs[:0], []byte(id))
			live := slices.IndexFunc(docs, func(doc uint32) bool { return p.Live == nil || p.Live.Contains(doc) })
			if live < 0 {
				continue
			}
			found, err := snap.Sources(ctx, []int64{p.SeqNo(docs[live])})
			if err != nil {
				return err
			}
			out[i] = found[0]
			break
		}
	}
	return ctx.Err()
}
