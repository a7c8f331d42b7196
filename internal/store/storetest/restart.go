package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"postern/internal/metadata"
	"postern/internal/store"
)

func testRestart(t *testing.T, open Opener) {
	s := open(t)
	ix := Index(t, s, "i")
	var all []store.Mutation
	for i := range 50 {
		all = append(all, Put(t, ix, fmt.Sprint(i), fmt.Sprintf(`{"n":%d,"t":"text number %d"}`, i, i)))
	}
	write(t, s, ix, store.RefreshNone, all...)
	if err := s.Flush(context.Background(), ix); err != nil {
		t.Fatal(err)
	}
	write(t, s, ix, store.RefreshNone, Remove("3"), Put(t, ix, "4", `{"n":44}`), Put(t, ix, "new", `{"n":1}`))
	if err := s.Refresh(context.Background(), ix); err != nil {
		t.Fatal(err)
	}
	before := Visible(t, s, ix)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t)
	defer closeStore(t, s)
	state, err := s.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ix = state.Index("i")
	if ix == nil {
		t.Fatal("the index is gone")
	}
	check(t, "documents", before, Visible(t, s, ix))
	if r := write(t, s, ix, store.RefreshNone, Put(t, ix, "later", `{}`))[0]; r.SeqNo != 53 {
		t.Errorf("the next _seq_no is %d, want 53", r.SeqNo)
	}
	if r := write(t, s, ix, store.RefreshNone, Put(t, ix, "3", `{}`))[0]; r.Version != 3 {
		t.Errorf("a deleted document goes on with version %d, want 3", r.Version)
	}
}

// testTerms: the primary term grows when the store is opened again, and documents keep
// that of their last write.
func testTerms(t *testing.T, open Opener) {
	s := open(t)
	ix := Index(t, s, "i")
	write(t, s, ix, store.RefreshNone, Put(t, ix, "a", `{}`), Put(t, ix, "b", `{}`), Remove("c"))
	for want := int64(2); want < 4; want++ {
		closeStore(t, s)
		s = open(t)
		if r := write(t, s, ix, store.RefreshNow, Put(t, ix, "b", `{}`))[0]; r.PrimaryTerm != want {
			t.Errorf("the term of a write is %d, want %d", r.PrimaryTerm, want)
		}
		for _, realtime := range []bool{true, false} {
			if a, b := get(t, s, ix, "a", realtime), get(t, s, ix, "b", realtime); a.PrimaryTerm != 1 || b.PrimaryTerm != want {
				t.Errorf("the terms are %d and %d, want 1 and %d", a.PrimaryTerm, b.PrimaryTerm, want)
			}
		}
	}
	closeStore(t, s)
}

func testClosed(t *testing.T, open Opener) {
	s := open(t)
	ix := Index(t, s, "i", "index.refresh_interval", "-1")
	write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{"n":1}`))
	snap, err := s.Snapshot(context.Background(), ix, store.HoldForRequest)
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error)
	go func() {
		_, err := s.Write(context.Background(), ix, []store.Mutation{Put(t, ix, "b", `{}`)}, store.RefreshWait)
		waiting <- err
	}()
	for !get(t, s, ix, "b", true).Found {
		time.Sleep(time.Millisecond)
	}
	closeStore(t, s)
	if err := <-waiting; err != nil && !errors.Is(err, store.ErrClosed) {
		t.Errorf("a write that waited: %v", err)
	}
	closeStore(t, s)
	for what, err := range calls(t, s, ix) {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := snap.Sources(context.Background(), []int64{0}); !errors.Is(err, store.ErrClosed) {
		t.Errorf("sources of a held snapshot: %v", err)
	}
	snap.Release()
	if _, err := s.Update(context.Background(), func(m *metadata.State) (*metadata.State, error) { return m, nil }); !errors.Is(err, store.ErrClosed) {
		t.Errorf("catalog: %v", err)
	}
}
