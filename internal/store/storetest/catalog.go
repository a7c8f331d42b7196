package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"postern/internal/metadata"
)

func testCatalog(t *testing.T, open Opener) {
	s := open(t)
	var group sync.WaitGroup
	const each, writers = 10, 4
	for w := range writers {
		group.Go(func() {
			for i := range each {
				_, err := s.Update(context.Background(), func(state *metadata.State) (*metadata.State, error) {
					next, _, err := state.CreateIndex(metadata.Creation{Name: fmt.Sprintf("i-%d-%d", w, i), UUID: fmt.Sprintf("u-%d-%d", w, i), At: time.UnixMilli(1)})
					return next, err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	refusal := errors.New("no")
	if _, err := s.Update(context.Background(), func(*metadata.State) (*metadata.State, error) { return nil, refusal }); !errors.Is(err, refusal) {
		t.Errorf("a refused change: %v", err)
	}
	before, _ := s.Load(context.Background())
	if n := len(before.Indices()); n != each*writers {
		t.Errorf("%d indices, want %d", n, each*writers)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t)
	defer closeStore(t, s)
	after, err := s.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if string(after.AppendBinary(nil)) != string(before.AppendBinary(nil)) {
		t.Error("the metadata differ after a restart")
	}
}
