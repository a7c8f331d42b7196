package qdrant

import (
	"context"
	"errors"
	"time"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/metadata"
	"postern/internal/store"
)

// sweepSlack is how much longer than gc_deletes a tombstone stays. It is forgotten by then,
// but a writer that finds nothing where it had seen a tombstone must know that it was this
// one that was removed, and not its own write with a deletion after it. So no write may take
// that long, clocks of gateways may differ by less.
const sweepSlack = 2 * time.Minute

// sweepLater sees to it that an index's old tombstones are removed.
func (s *Store) sweepLater(ix *index, meta *metadata.Index) {
	if !ix.sweeping.CompareAndSwap(false, true) {
		return
	}
	leave, err := s.enter()
	if err != nil {
		return
	}
	go func() {
		defer leave()
		keep := meta.Settings.Duration("index.gc_deletes", time.Minute) + sweepSlack
		if !sleep(s.background, keep) {
			return
		}
		ix.sweeping.Store(false)
		more, err := s.sweepTombstones(s.background, meta.UUID, time.Now().Add(-keep))
		if errors.Is(err, store.ErrNoIndex) {
			return
		}
		if err != nil && s.background.Err() == nil {
			s.log.Warn("old tombstones were not removed", "index", meta.Name, "error", err)
		}
		if more || err != nil {
			s.sweepLater(ix, meta)
		}
	}()
}

// sweepTombstones removes the tombstones from before a time. more says that younger ones
// are left.
func (s *Store) sweepTombstones(ctx context.Context, uuid string, before time.Time) (more bool, err error) {
	name := s.collectionName(uuid)
	limit := uint32(chunkItems)
	page := &pb.ScrollPoints{CollectionName: name, Limit: &limit, Filter: mustNot(isEmpty(keyDeleted)),
		WithPayload: include([]string{keyDeleted, keyWrite})}
	for {
		r, err := s.scroll(ctx, page)
		if err != nil {
			return true, err
		}
		var ids []*pb.PointId
		var writes []string
		for _, p := range r.GetResult() {
			if p.GetPayload()[keyDeleted].GetIntegerValue() >= before.UnixMilli() {
				more = true
				continue
			}
			ids = append(ids, p.GetId())
			writes = append(writes, p.GetPayload()[keyWrite].GetStringValue())
		}
		if len(ids) > 0 {
			if err := s.remove(ctx, name, must(hasID(ids...), matchAny(keyWrite, writes...))); err != nil {
				return true, err
			}
		}
		if page.Offset = r.GetNextPageOffset(); page.Offset == nil {
			return more, nil
		}
	}
}

// orphanAge is from when on what the catalog does not name is taken for left over. Whoever
// makes an index writes its name long before.
const orphanAge = time.Hour

// sweepCatalog removes what gateways left that died in the midst of a change: collections
// whose index has no name, and metadata that no directory names.
func (s *Store) sweepCatalog() {
	if err := s.sweepOrphans(s.background, time.Now().Add(-orphanAge)); err != nil && s.background.Err() == nil {
		s.log.Warn("the catalog was not swept", "error", err)
	}
}

func (s *Store) sweepOrphans(ctx context.Context, before time.Time) error {
	limit := uint32(chunkItems)
	page := &pb.ScrollPoints{CollectionName: s.catalogName(), Limit: &limit, Filter: must(matchAny(keyKind, kindIndex, kindPlace)),
		WithPayload: include([]string{keyKind, keyUUID, keyAt})}
	for {
		r, err := s.scroll(ctx, page)
		if err != nil {
			return err
		}
		c, err := s.load(ctx) // after the points were read: what it does not name never will be
		if err != nil {
			return err
		}
		for _, p := range r.GetResult() {
			m := p.GetPayload()
			if m[keyAt].GetIntegerValue() >= before.UnixMilli() {
				continue
			}
			uuid := m[keyUUID].GetStringValue()
			switch {
			case m[keyKind].GetStringValue() == kindIndex && c.byRef[p.GetId().GetUuid()] == nil:
				err = s.remove(ctx, s.catalogName(), must(hasID(p.GetId())))
			case m[keyKind].GetStringValue() == kindPlace && c.state.IndexByUUID(uuid) == nil:
				err = s.erase(ctx, uuid)
			}
			if err != nil {
				return err
			}
		}
		if page.Offset = r.GetNextPageOffset(); page.Offset == nil {
			return nil
		}
	}
}
