package embedded

import (
	"context"
	"slices"

	"postern/internal/metadata"
	"postern/internal/store"
)

// Get reads documents by _id; see store.Documents.
func (s *Store) Get(ctx context.Context, meta *metadata.Index, ids []string, realtime bool) ([]store.Stored, error) {
	ix, err := s.index(meta)
	if err != nil {
		return nil, err
	}
	ix.gets.Add(int64(len(ids)))
	out := make([]store.Stored, len(ids))
	if !realtime {
		return out, ix.getVisible(ctx, ids, out)
	}
	for i, id := range ids {
		if out[i], err = ix.get(id); err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// get reads the newest document of an _id. Between the two reads another write may
// replace it; then it is read again.
func (ix *index) get(id string) (store.Stored, error) {
	for {
		b, err := get(ix.s.db, idKey(ix.uuid, id))
		if err != nil || b == nil {
			return store.Stored{ID: id}, err
		}
		rec, err := readID(b)
		if err != nil || rec.deleted {
			return store.Stored{ID: id}, err
		}
		if b, err = get(ix.s.db, seqKey(kindDocument, ix.uuid, rec.seq)); err != nil {
			return store.Stored{}, err
		}
		if b != nil {
			return readDocument(b, rec.seq)
		}
	}
}

// getVisible reads documents as searches see them. It looks through the _id of every
// segment: such reads are rare.
func (ix *index) getVisible(ctx context.Context, ids []string, out []store.Stored) error {
	snap := ix.acquire()
	defer snap.Release()
	for i, id := range ids {
		out[i].ID = id
		for _, p := range slices.Backward(snap.parts) {
			doc, ok := p.FindID(id, p.Live)
			if !ok {
				continue
			}
			docs, err := snap.Sources(ctx, []int64{p.SeqNo(doc)})
			if err != nil {
				return err
			}
			out[i] = docs[0]
			break
		}
	}
	return ctx.Err()
}
