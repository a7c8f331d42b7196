package qdrant

import (
	"context"
	"time"

	pb "github.com/qdrant/go-client/qdrant"
)

// Poison makes every write impossible that is still on its way to one of the documents: each
// point gets a new write id, on which no such write's condition holds, and an absent one
// becomes a tombstone, where an insert finds a point. What can be read stays what it is.
//
// It is for writes whose gateway is gone: one that lives would read the new id and write
// again.
func (s *Store) Poison(ctx context.Context, uuid string, ids []string) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	for _, id := range ids {
		if err := s.poison(ctx, s.collectionName(uuid), id); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) poison(ctx context.Context, collection, id string) error {
	point := pointID(id)
	for {
		found, err := s.retrieve(ctx, collection, []*pb.PointId{point}, []string{keyChain})
		if err != nil {
			return err
		}
		mine, prior := newWriteID(), ""
		var chain []string
		if len(found) > 0 {
			chain = texts(found[0].GetPayload()[keyChain])
			prior = chain[0]
		}
		marks := map[string]*pb.Value{keyWrite: textValue(mine), keyChain: textList(linked(mine, chain))}
		if prior == "" {
			marks[keyID], marks[keySeqNo], marks[keyVersion], marks[keyTerm] = textValue(termText(id)), intValue(0), intValue(0), intValue(0)
			marks[keyDeleted] = intValue(max(1, time.Now().UnixMilli()))
			err = s.upsert(ctx, &pb.UpsertPoints{CollectionName: collection, UpdateMode: pb.UpdateMode_InsertOnly.Enum(),
				Points: []*pb.PointStruct{{Id: point, Payload: marks}}})
		} else {
			err = s.mark(ctx, collection, must(hasID(point), matchAny(keyWrite, prior)), marks)
		}
		if err != nil {
			return err
		}
		now, err := s.retrieve(ctx, collection, []*pb.PointId{point}, []string{keyChain})
		if err != nil {
			return err
		}
		if len(now) > 0 && texts(now[0].GetPayload()[keyChain])[0] != prior {
			return nil // by us, or by another write, which does as well
		}
	}
}

// mark sets members of the payload of the points that meet a filter.
func (s *Store) mark(ctx context.Context, collection string, f *pb.Filter, members map[string]*pb.Value) error {
	wait := true
	set := &pb.SetPayloadPoints{CollectionName: collection, Wait: &wait, Ordering: strong(), Payload: members,
		PointsSelector: &pb.PointsSelector{PointsSelectorOneOf: &pb.PointsSelector_Filter{Filter: f}}}
	return applied(write(ctx, s.client, func(ctx context.Context) (*pb.PointsOperationResponse, error) {
		return s.client.points().SetPayload(ctx, set)
	}))
}

// PoisonCatalog does the same to changes of names, mappings, settings, aliases and templates.
func (s *Store) PoisonCatalog(ctx context.Context) error {
	_, err := s.changeFencing(ctx, func(*fencing) (bool, error) { return true, nil })
	return err
}
