package qdrant

import (
	"context"
	"errors"
	"slices"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/store"
)

// Payload indexes are made when a call first asks for them, in the background, and noted in
// the index's place when they are there; so all gateways know.

// ready reports whether the columns have their indexes, and sees to it that they will.
func (s *Store) ready(ctx context.Context, ix *index, uses []columnUse) (bool, error) {
	missing := ix.missing(uses)
	if len(missing) == 0 {
		return true, nil
	}
	if ix.looked.CompareAndSwap(false, true) { // another gateway may have made them
		found, err := s.retrieve(ctx, s.catalogName(), []*pb.PointId{catalogID(kindPlace, ix.uuid)}, []string{keyReady})
		if err != nil {
			ix.looked.Store(false)
			return false, err
		}
		if len(found) > 0 {
			ix.learn(texts(found[0].GetPayload()[keyReady]))
		}
		missing = ix.missing(uses)
	}
	for _, use := range missing {
		s.makeReady(ix, use)
	}
	return len(missing) == 0, nil
}

func (ix *index) missing(uses []columnUse) []columnUse {
	ix.columns.Lock()
	defer ix.columns.Unlock()
	var out []columnUse
	for _, u := range uses {
		if u.path != keySeqNo && !ix.ready[u.path] {
			out = append(out, u)
		}
	}
	return out
}

// learn notes columns that have an index.
func (ix *index) learn(paths []string) {
	ix.columns.Lock()
	defer ix.columns.Unlock()
	if ix.ready == nil {
		ix.ready = map[string]bool{}
	}
	for _, p := range paths {
		ix.ready[p] = true
	}
}

// makeReady makes a payload index in the background, once.
func (s *Store) makeReady(ix *index, use columnUse) {
	ix.columns.Lock()
	busy := ix.making[use.path]
	if ix.making == nil {
		ix.making = map[string]bool{}
	}
	ix.making[use.path] = true
	ix.columns.Unlock()
	if busy {
		return
	}
	leave, err := s.enter()
	if err != nil {
		return
	}
	go func() {
		defer leave()
		err := s.indexField(s.background, s.collectionName(ix.uuid), use.path, use.kind)
		if err == nil {
			err = s.noteReady(s.background, ix, use.path)
		}
		if err == nil {
			ix.learn([]string{use.path})
		} else if s.background.Err() == nil && !errors.Is(err, store.ErrNoIndex) {
			s.log.Warn("a payload index was not made", "index", ix.uuid, "column", use.path, "error", err)
		}
		ix.columns.Lock()
		delete(ix.making, use.path)
		ix.columns.Unlock()
	}()
}

// noteReady adds a column to those that the index's place names.
func (s *Store) noteReady(ctx context.Context, ix *index, path string) error {
	return s.changePlace(ctx, ix, func(p *placeState) bool {
		if slices.Contains(p.ready, path) {
			return false
		}
		p.ready = append(p.ready, path)
		return true
	})
}
