package qdrant

import (
	"context"
	"errors"

	pb "github.com/qdrant/go-client/qdrant"
)

// upsert writes points and waits until they can be read.
func (s *Store) upsert(ctx context.Context, up *pb.UpsertPoints) error {
	up.Wait, up.Ordering = new(bool), strong()
	*up.Wait = true
	return applied(write(ctx, s.client, func(ctx context.Context) (*pb.PointsOperationResponse, error) {
		return s.client.points().Upsert(ctx, up)
	}))
}

// remove deletes the points that meet a filter.
func (s *Store) remove(ctx context.Context, collection string, f *pb.Filter) error {
	wait := true
	del := &pb.DeletePoints{CollectionName: collection, Wait: &wait, Ordering: strong(),
		Points: &pb.PointsSelector{PointsSelectorOneOf: &pb.PointsSelector_Filter{Filter: f}}}
	return applied(write(ctx, s.client, func(ctx context.Context) (*pb.PointsOperationResponse, error) {
		return s.client.points().Delete(ctx, del)
	}))
}

// applied holds an answer to what was asked for: that the change has been made.
func applied(r *pb.PointsOperationResponse, err error) error {
	if err == nil && r.GetResult().GetStatus() != pb.UpdateStatus_Completed {
		return unknown(errors.New("Qdrant answers " + r.GetResult().GetStatus().String()))
	}
	return err
}

func strong() *pb.WriteOrdering { return &pb.WriteOrdering{Type: pb.WriteOrderingType_Strong} }

// retrieve reads points by id; those that are not there are left out.
func (s *Store) retrieve(ctx context.Context, collection string, ids []*pb.PointId, keys []string) ([]*pb.RetrievedPoint, error) {
	get := &pb.GetPoints{CollectionName: collection, Ids: ids, WithPayload: include(keys)}
	r, err := read(ctx, s.client, func(ctx context.Context) (*pb.GetResponse, error) { return s.client.points().Get(ctx, get) })
	return r.GetResult(), err
}

// scroll reads one page.
func (s *Store) scroll(ctx context.Context, page *pb.ScrollPoints) (*pb.ScrollResponse, error) {
	return read(ctx, s.client, func(ctx context.Context) (*pb.ScrollResponse, error) { return s.client.points().Scroll(ctx, page) })
}

// count counts exactly.
func (s *Store) count(ctx context.Context, collection string, f *pb.Filter) (int64, error) {
	exact := true
	r, err := read(ctx, s.client, func(ctx context.Context) (*pb.CountResponse, error) {
		return s.client.points().Count(ctx, &pb.CountPoints{CollectionName: collection, Filter: f, Exact: &exact})
	})
	return int64(r.GetResult().GetCount()), err
}

// exists tells whether there is a collection of that name.
func (s *Store) exists(ctx context.Context, collection string) (bool, error) {
	r, err := read(ctx, s.client, func(ctx context.Context) (*pb.CollectionExistsResponse, error) {
		return s.client.collections().CollectionExists(ctx, &pb.CollectionExistsRequest{CollectionName: collection})
	})
	return r.GetResult().GetExists(), err
}
