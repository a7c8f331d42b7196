package qdrant

import (
	"context"
	"fmt"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/metadata"
)

// makeCollection makes a collection without vectors, unless it is there.
func (s *Store) makeCollection(ctx context.Context, name string) error {
	there, err := s.exists(ctx, name)
	if err != nil || there {
		return err
	}
	replicas := uint32(1)
	_, failed := write(ctx, s.client, func(ctx context.Context) (*pb.CollectionOperationResponse, error) {
		return s.client.collections().Create(ctx, &pb.CreateCollection{CollectionName: name, ReplicationFactor: &replicas,
			VectorsConfig: pb.NewVectorsConfigMap(map[string]*pb.VectorParams{})})
	})
	if failed == nil {
		return nil
	}
	if there, err = s.exists(ctx, name); err == nil && there {
		return nil // another gateway was faster
	}
	return fmt.Errorf("collection %s: %w", name, failed)
}

// dropCollection removes a collection; there may be none.
func (s *Store) dropCollection(ctx context.Context, name string) error {
	_, err := write(ctx, s.client, func(ctx context.Context) (*pb.CollectionOperationResponse, error) {
		return s.client.collections().Delete(ctx, &pb.DeleteCollection{CollectionName: name})
	})
	if err == nil {
		return nil
	}
	if there, look := s.exists(ctx, name); look == nil && !there {
		return nil
	}
	return fmt.Errorf("collection %s: %w", name, err)
}

// indexField makes a payload index and waits until it can be used.
func (s *Store) indexField(ctx context.Context, collection, path string, kind pb.FieldType) error {
	wait := true
	return applied(write(ctx, s.client, func(ctx context.Context) (*pb.PointsOperationResponse, error) {
		return s.client.points().CreateFieldIndex(ctx, &pb.CreateFieldIndexCollection{CollectionName: collection, Wait: &wait,
			FieldName: path, FieldType: &kind, Ordering: strong()})
	}))
}

// CreateIndex makes the collection of an index; see store.Documents. The catalog knows of
// the collection before it is there, so that one whose index never comes to be is found.
func (s *Store) CreateIndex(ctx context.Context, meta *metadata.Index) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	if err := s.makePlace(ctx, meta.UUID); err != nil {
		return err
	}
	name := s.collectionName(meta.UUID)
	if err := s.makeCollection(ctx, name); err != nil {
		return err
	}
	return s.indexField(ctx, name, keySeqNo, pb.FieldType_FieldTypeInteger)
}

// DropIndex removes the collection of an index; see store.Documents.
func (s *Store) DropIndex(ctx context.Context, uuid string) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	s.mu.Lock()
	delete(s.indices, uuid)
	s.mu.Unlock()
	return s.erase(ctx, uuid)
}

func (s *Store) erase(ctx context.Context, uuid string) error {
	if err := s.dropCollection(ctx, s.collectionName(uuid)); err != nil {
		return err
	}
	return s.remove(ctx, s.catalogName(), must(hasID(catalogID(kindPlace, uuid))))
}
