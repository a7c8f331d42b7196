package qdrant

import (
	"context"
	"errors"
	"sync"
	"testing"

	"postern/conformance/engines/qdranttest"
	"postern/internal/metadata"
	"postern/internal/store"
)

// What the directory says of the fence outlives changes of the metadata, and each advance is
// another number, however many gateways advance.
func TestFencingIsKeptInTheDirectory(t *testing.T) {
	o := place(t, qdranttest.Start(t).Addr)
	o.Fenced = true
	stores := []*Store{open(t, o), open(t, o)}
	for _, s := range stores {
		defer s.Close()
	}
	if err := stores[0].Enroll(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := newMutator(stores[1]).CreateIndex(t.Context(), metadata.Creation{Name: "i"}); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	seen := map[uint64]bool{}
	var group sync.WaitGroup
	for _, s := range stores {
		group.Go(func() {
			for range 5 {
				n, owners, err := s.Advance(context.Background(), 0)
				mu.Lock()
				if err != nil || seen[n] || len(owners) != 1 || owners[0] != "a" {
					t.Errorf("advanced to %d again, with %v: %v", n, owners, err)
				}
				seen[n] = true
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if n, _, err := stores[0].Advance(t.Context(), 100); err != nil || n != 101 {
		t.Errorf("above 100 comes %d (%v)", n, err)
	}
	if err := stores[1].Leave(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	fenced, incarnation, owners, err := stores[0].Fencing(t.Context())
	if err != nil || !fenced || incarnation != 101 || len(owners) != 0 {
		t.Errorf("%v %d %v %v", fenced, incarnation, owners, err)
	}
	if state, err := stores[0].Load(t.Context()); err != nil || state.Index("i") == nil {
		t.Errorf("the index is gone: %v", err)
	}
}

func TestAGatewayOfTheOtherKindIsRefused(t *testing.T) {
	o := place(t, qdranttest.Start(t).Addr)
	bare := open(t, o)
	defer bare.Close()
	o.AnyFencing = true
	operator := open(t, o)
	defer operator.Close()
	if err := operator.SetFenced(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if _, err := bare.Load(t.Context()); !errors.Is(err, store.ErrFenced) {
		t.Errorf("a gateway without a fence: %v", err)
	}
	if err := operator.SetFenced(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if _, err := bare.Load(t.Context()); err != nil {
		t.Errorf("when there is none again: %v", err)
	}
}
