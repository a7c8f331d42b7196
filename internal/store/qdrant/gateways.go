package qdrant

import (
	"context"
	"time"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/store"
)

const keyURL = "url"

var _ store.Gateways = (*Store)(nil)

// Announce keeps where a gateway is reached; see store.Gateways.
func (s *Store) Announce(ctx context.Context, id, url string) error {
	return s.upsert(ctx, &pb.UpsertPoints{CollectionName: s.catalogName(), Points: []*pb.PointStruct{{
		Id:      catalogID(kindGateway, id),
		Payload: map[string]*pb.Value{keyKind: textValue(kindGateway), keyURL: textValue(url), keyAt: intValue(time.Now().UnixMilli())},
	}}})
}

// Withdraw forgets a gateway; see store.Gateways.
func (s *Store) Withdraw(ctx context.Context, id string) error {
	return s.remove(ctx, s.catalogName(), must(hasID(catalogID(kindGateway, id))))
}

// Reach is where a gateway is reached; see store.Gateways.
func (s *Store) Reach(ctx context.Context, id string) (string, error) {
	found, err := s.retrieve(ctx, s.catalogName(), []*pb.PointId{catalogID(kindGateway, id)}, []string{keyURL})
	if err != nil || len(found) == 0 {
		return "", catalogError(err)
	}
	return found[0].GetPayload()[keyURL].GetStringValue(), nil
}
