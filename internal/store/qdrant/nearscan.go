package qdrant

import (
	"context"
	"time"

	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
)

// nearSnapshot is a snapshot of the columns in memory, which are read if they are not
// there; nil when they can't be kept.
func (s *Store) nearSnapshot(ctx context.Context, meta *metadata.Index, ix *index) (*snapshot, error) {
	if !s.keeps(ix) {
		return nil, nil
	}
	n := ix.near
	n.used.Store(time.Now().UnixNano())
	changed := s.historyOf(meta.UUID).changes()
	if snap := n.snapshot(s, meta.UUID, changed); snap != nil {
		s.trim(ix)
		return snap, nil
	}
	n.loading.Lock() // one scans, the others wait and find what it has read
	defer n.loading.Unlock()
	if snap := n.snapshot(s, meta.UUID, changed); snap != nil || !s.keeps(ix) {
		return snap, nil
	}
	snap, err := s.scan(ctx, meta, must(live()), store.Columns{All: true}, store.HoldForRequest)
	if err != nil {
		return nil, err
	}
	snap.gathered = false // nothing was written meanwhile
	ix.documents.Store(snap.documents())
	n.mu.Lock()
	n.set(snap.parts, changed)
	if n.bytes() > s.opts.NearMemory {
		n.drop()
		n.large = snap.documents()
	}
	n.mu.Unlock()
	s.trim(ix)
	return snap, nil
}

// keeps tells that the columns of an index are kept, or would be.
func (s *Store) keeps(ix *index) bool {
	if !s.opts.Exclusive || s.opts.NearMemory <= 0 {
		return false
	}
	ix.near.mu.Lock()
	defer ix.near.mu.Unlock()
	return !ix.near.off && (ix.near.large == 0 || ix.documents.Load() < ix.near.large/2)
}

// trim drops the columns that were not asked for longest until the others are within
// bounds; those of an index that was just asked for go last.
func (s *Store) trim(asked *index) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		var sum int64
		var oldest *index
		for _, ix := range s.indices {
			ix.near.mu.Lock()
			size := ix.near.bytes()
			ix.near.mu.Unlock()
			sum += size
			if size > 0 && ix != asked && (oldest == nil || ix.near.used.Load() < oldest.near.used.Load()) {
				oldest = ix
			}
		}
		if sum <= s.opts.NearMemory {
			return
		}
		if oldest == nil {
			oldest = asked
		}
		oldest.near.mu.Lock()
		oldest.near.drop()
		if oldest == asked {
			oldest.near.large = max(1, oldest.documents.Load())
		}
		oldest.near.mu.Unlock()
		if oldest == asked {
			return
		}
	}
}

// nearStats adds what the columns in memory take.
func (ix *index) nearStats(st *store.Stats) {
	ix.near.mu.Lock()
	defer ix.near.mu.Unlock()
	if !ix.near.loaded {
		return
	}
	st.MemoryBytes = ix.near.bytes()
	st.Segments = len(ix.near.parts) + 1
	for _, p := range ix.near.parts {
		st.Fields = addFields(st.Fields, p.ColumnBytes())
	}
}

// addFields adds bytes by field to a list that is sorted by field.
func addFields(all, more []segment.FieldBytes) []segment.FieldBytes {
	out := make([]segment.FieldBytes, 0, max(len(all), len(more)))
	for len(all) > 0 && len(more) > 0 {
		switch {
		case all[0].Field < more[0].Field:
			out, all = append(out, all[0]), all[1:]
		case all[0].Field > more[0].Field:
			out, more = append(out, more[0]), more[1:]
		default:
			sum := all[0]
			sum.Bytes += more[0].Bytes
			out, all, more = append(out, sum), all[1:], more[1:]
		}
	}
	return append(append(out, all...), more...)
}
