package qdrant

import (
	"context"
	"encoding/hex"
	"slices"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
)

var _ store.Engine = (*Store)(nil)

// Page is an ordered scroll; see store.Engine.
func (s *Store) Page(ctx context.Context, meta *metadata.Index, f store.Filter, order store.Order, limit int, want store.Columns) (store.Page, error) {
	leave, err := s.enter()
	if err != nil {
		return store.Page{}, err
	}
	defer leave()
	ix := s.index(meta.UUID)
	filter, key, err := s.prepare(ctx, meta, ix, f, order.Field, isNumeric)
	if err != nil {
		return store.Page{}, err
	}
	ix.searches.Add(1)
	direction := pb.Direction_Asc.Enum()
	if order.Desc {
		direction = pb.Direction_Desc.Enum()
	}
	n := uint32(limit)
	r, err := s.scroll(ctx, &pb.ScrollPoints{CollectionName: s.collectionName(meta.UUID), Filter: filter, Limit: &n,
		OrderBy: &pb.OrderBy{Key: key, Direction: direction}, WithPayload: include(scanKeys())})
	if err != nil {
		return store.Page{}, err
	}
	snap, err := s.pageOf(meta, r.GetResult(), want)
	return store.Page{Snapshot: snap, Full: len(r.GetResult()) >= limit}, err
}

// pageOf makes a snapshot of points that were read in whole.
func (s *Store) pageOf(meta *metadata.Index, points []*pb.RetrievedPoint, want store.Columns) (*snapshot, error) {
	records := make([]record, 0, len(points))
	for _, p := range points {
		r, err := readRecord(p)
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	slices.SortFunc(records, func(a, b record) int { return int(min(max(a.SeqNo-b.SeqNo, -1), 1)) })
	records = slices.CompactFunc(records, func(a, b record) bool { return a.SeqNo == b.SeqNo })
	c := &collector{s: s, meta: meta, want: want, history: s.historyOf(meta.UUID), tail: segment.NewTail(), rows: map[uint64]uint32{}}
	snap := &snapshot{s: s, uuid: meta.UUID, kept: make(map[int64]store.Stored, len(records))}
	for i := range records {
		c.append(&records[i])
		snap.kept[records[i].SeqNo] = records[i].Stored
	}
	snap.parts = c.parts()
	return snap, nil
}

// Scan reads the documents that match; see store.Engine.
func (s *Store) Scan(ctx context.Context, meta *metadata.Index, f store.Filter, want store.Columns) (store.Snapshot, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	ix := s.index(meta.UUID)
	filter, uses, err := s.pushFilter(meta, f)
	if err != nil {
		return nil, err
	}
	if _, err := s.ready(ctx, ix, uses); err != nil {
		return nil, err
	}
	ix.searches.Add(1)
	return s.scan(ctx, meta, filter, want, store.HoldForRequest)
}

// Count counts the documents that match; see store.Engine.
func (s *Store) Count(ctx context.Context, meta *metadata.Index, f store.Filter) (int64, error) {
	leave, err := s.enter()
	if err != nil {
		return 0, err
	}
	defer leave()
	ix := s.index(meta.UUID)
	filter, uses, err := s.pushFilter(meta, f)
	if err != nil {
		return 0, err
	}
	if _, err := s.ready(ctx, ix, uses); err != nil {
		return 0, err
	}
	n, err := s.count(ctx, s.collectionName(meta.UUID), filter)
	if _, all := f.(store.All); all && err == nil {
		ix.documents.Store(n)
	}
	return n, err
}

// Facet counts documents by value; see store.Engine.
func (s *Store) Facet(ctx context.Context, meta *metadata.Index, f store.Filter, name string, limit int) ([]store.FacetValue, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	ix := s.index(meta.UUID)
	filter, key, err := s.prepare(ctx, meta, ix, f, name, isFacet)
	if err != nil {
		return nil, err
	}
	exact, n := true, uint64(limit)
	r, err := read(ctx, s.client, func(ctx context.Context) (*pb.FacetResponse, error) {
		return s.client.points().Facet(ctx, &pb.FacetCounts{CollectionName: s.collectionName(meta.UUID), Key: key, Filter: filter, Limit: &n, Exact: &exact})
	})
	if err != nil {
		return nil, err
	}
	mapped := meta.Mapping.Field(name)
	out := make([]store.FacetValue, 0, len(r.GetHits()))
	for _, hit := range r.GetHits() {
		if hit.GetCount() == 0 {
			continue
		}
		v := store.FacetValue{Count: int64(hit.GetCount()), Long: hit.GetValue().GetIntegerValue(), Term: textTerm(hit.GetValue().GetStringValue())}
		if mapped != nil && mapped.Kind == mapping.KindIP {
			b, err := hex.DecodeString(v.Term)
			if err != nil {
				return nil, err
			}
			v.Term = string(b)
		}
		out = append(out, v)
	}
	return out, nil
}

func isNumeric(f *mapping.Field, key string) bool {
	if f == nil {
		return key == keySeqNo
	}
	return f.Kind == mapping.KindLong || f.Kind == mapping.KindDouble
}

func isFacet(f *mapping.Field, key string) bool {
	if f == nil {
		return key == keyRouting || key == keyIgnored
	}
	return f.Kind == mapping.KindLong || f.Kind == mapping.KindKeyword || f.Kind == mapping.KindIP
}

// prepare translates a filter, and finds the column that a call is about, whose payload
// index the call can't do without.
func (s *Store) prepare(ctx context.Context, meta *metadata.Index, ix *index, f store.Filter, name string, fits func(*mapping.Field, string) bool) (*pb.Filter, string, error) {
	filter, uses, err := s.pushFilter(meta, f)
	if err != nil {
		return nil, "", err
	}
	t := &translator{meta: meta, history: s.historyOf(meta.UUID)}
	key, mapped := t.column(name)
	if t.refused || !fits(mapped, key) {
		return nil, "", store.ErrNotPushed
	}
	if key == keyRouting || key == keyIgnored {
		t.use(key, pb.FieldType_FieldTypeKeyword)
	}
	if _, err := s.ready(ctx, ix, uses); err != nil {
		return nil, "", err
	}
	there, err := s.ready(ctx, ix, t.uses)
	if err == nil && !there {
		err = store.ErrNotPushed
	}
	return filter, key, err
}

// Weigh tells what questions would cost; see store.Engine.
func (s *Store) Weigh(meta *metadata.Index) store.Weight {
	ix := s.index(meta.UUID)
	ix.near.mu.Lock()
	loaded := ix.near.loaded
	ix.near.mu.Unlock()
	return store.Weight{Documents: max(0, ix.documents.Load()), Near: loaded, Keeps: s.keeps(ix)}
}
