package qdrant

import (
	"context"
	"fmt"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/metadata"
	"postern/internal/store"
)

// Stats are figures of one index; see store.Documents. What Qdrant takes on disk it does
// not tell.
func (s *Store) Stats(ctx context.Context, meta *metadata.Index) (store.Stats, error) {
	leave, err := s.enter()
	if err != nil {
		return store.Stats{}, err
	}
	defer leave()
	name, ix := s.collectionName(meta.UUID), s.index(meta.UUID)
	st := store.Stats{IndexTotal: ix.indexed.Load(), DeleteTotal: ix.deleted.Load(), GetTotal: ix.gets.Load(),
		SearchTotal: ix.searches.Load(), RefreshTotal: ix.refreshes.Load(), MaxSeqNo: -1}
	if st.Docs, err = s.count(ctx, name, must(live())); err != nil {
		return st, err
	}
	ix.documents.Store(st.Docs)
	if st.Deleted, err = s.count(ctx, name, mustNot(isEmpty(keyDeleted))); err != nil {
		return st, err
	}
	one := uint32(1)
	last, err := s.scroll(ctx, &pb.ScrollPoints{CollectionName: name, Limit: &one, WithPayload: include([]string{keySeqNo}),
		OrderBy: &pb.OrderBy{Key: keySeqNo, Direction: pb.Direction_Desc.Enum()}})
	if err != nil {
		return st, err
	}
	if len(last.GetResult()) > 0 {
		st.MaxSeqNo = last.GetResult()[0].GetPayload()[keySeqNo].GetIntegerValue()
	}
	ix.nearStats(&st)
	ix.mu.Lock()
	defer ix.mu.Unlock()
	st.MaxSeqNo = max(st.MaxSeqNo, ix.highest)
	return st, nil
}

// Refresh has nothing to do: searches see every write.
func (s *Store) Refresh(ctx context.Context, meta *metadata.Index) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	s.index(meta.UUID).refreshes.Add(1)
	return s.present(ctx, meta)
}

// Flush has nothing to do: no write is answered that Qdrant does not have.
func (s *Store) Flush(ctx context.Context, meta *metadata.Index) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	return s.present(ctx, meta)
}

// present fails when the index has no collection.
func (s *Store) present(ctx context.Context, meta *metadata.Index) error {
	there, err := s.exists(ctx, s.collectionName(meta.UUID))
	if err == nil && !there {
		err = fmt.Errorf("%w: %s", store.ErrNoIndex, meta.UUID)
	}
	return err
}
