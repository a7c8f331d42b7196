package qdranttest_test

import (
	"context"
	"fmt"
	"testing"

	"postern/conformance/engines/qdranttest"

	"github.com/qdrant/go-client/qdrant"
)

// What was acknowledged is there after a crash.
func TestAcknowledgedWritesSurviveAKill(t *testing.T) {
	server := qdranttest.Start(t)
	client := server.Client(t)
	ctx := context.Background()
	if err := client.CreateCollection(ctx, &qdrant.CreateCollection{CollectionName: "kept"}); err != nil {
		t.Fatal(err)
	}
	const writes = 50
	for round := range 3 {
		for i := range writes {
			_, err := client.Upsert(ctx, &qdrant.UpsertPoints{
				CollectionName: "kept",
				Wait:           qdrant.PtrOf(true),
				Points: []*qdrant.PointStruct{{
					Id:      qdrant.NewIDNum(uint64(round*writes + i)),
					Payload: qdrant.NewValueMap(map[string]any{"round": round, "name": fmt.Sprint(i)}),
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		server.Kill(t)
		server.Restart(t)
		client = server.Client(t)
		count, err := client.Count(ctx, &qdrant.CountPoints{CollectionName: "kept", Exact: qdrant.PtrOf(true)})
		if err != nil {
			t.Fatal(err)
		}
		if want := uint64((round + 1) * writes); count != want {
			t.Fatalf("after kill %d there are %d points, acknowledged were %d", round+1, count, want)
		}
	}
}
