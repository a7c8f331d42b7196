package qdrant

import (
	"context"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/metadata"
	"postern/internal/store"
)

// Get reads documents by _id; see store.Documents. Searches see every write at once, so
// that realtime makes no difference.
func (s *Store) Get(ctx context.Context, meta *metadata.Index, ids []string, _ bool) ([]store.Stored, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	s.index(meta.UUID).gets.Add(int64(len(ids)))
	return s.get(ctx, meta.UUID, ids)
}

func (s *Store) get(ctx context.Context, uuid string, ids []string) ([]store.Stored, error) {
	out := make([]store.Stored, len(ids))
	places := make(map[string][]int, len(ids)) // a document may be asked for twice
	var points []*pb.PointId
	for i, id := range ids {
		out[i].ID = id
		point := pointID(id)
		if places[point.GetUuid()] == nil {
			points = append(points, point)
		}
		places[point.GetUuid()] = append(places[point.GetUuid()], i)
	}
	for len(points) > 0 {
		n := min(len(points), chunkItems)
		found, err := s.retrieve(ctx, s.collectionName(uuid), points[:n], documentKeys())
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			r, err := readRecord(p)
			if err != nil {
				return nil, err
			}
			for _, i := range places[p.GetId().GetUuid()] {
				if r.Found && r.ID == ids[i] {
					out[i] = r.Stored
				}
			}
		}
		points = points[n:]
	}
	return out, nil
}
