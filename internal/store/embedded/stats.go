package embedded

import (
	"cmp"
	"context"
	"slices"

	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
)

// Stats are figures of what searches see; see store.Documents.
func (s *Store) Stats(_ context.Context, meta *metadata.Index) (store.Stats, error) {
	ix, leave, err := s.enter(meta)
	if err != nil {
		return store.Stats{}, err
	}
	defer leave()
	snap := ix.states.acquire()
	defer snap.Release()
	st := store.Stats{Segments: len(snap.parts), MemoryBytes: ix.memory(), IndexTotal: ix.indexed.Load(), DeleteTotal: ix.deleted.Load(),
		GetTotal: ix.gets.Load(), SearchTotal: ix.searches.Load(), RefreshTotal: ix.refreshes.Load()}
	byField := map[string]int64{}
	for _, p := range snap.parts {
		live := int64(p.Len())
		if p.Live != nil {
			live = int64(p.Live.GetCardinality())
		}
		st.Docs += live
		st.Deleted += int64(p.Len()) - live
		for _, f := range p.ColumnBytes() {
			byField[f.Field] += f.Bytes
		}
	}
	for name, n := range byField {
		st.Fields = append(st.Fields, segment.FieldBytes{Field: name, Bytes: n})
	}
	slices.SortFunc(st.Fields, func(a, b segment.FieldBytes) int { return cmp.Compare(a.Field, b.Field) })
	ix.mu.Lock()
	st.MaxSeqNo = ix.nextSeq - 1
	ix.mu.Unlock()
	for _, kind := range []byte(perIndex) {
		p := prefix(kind, ix.uuid)
		n, err := s.db.EstimateDiskUsage(p, after(p))
		if err != nil {
			return st, err
		}
		st.StoreBytes += int64(n)
	}
	return st, nil
}
