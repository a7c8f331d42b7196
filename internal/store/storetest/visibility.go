package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"postern/internal/store"
)

func testVisibility(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i", "index.refresh_interval", "-1")
	write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{"n":1}`))
	write(t, s, ix, store.RefreshNone, Put(t, ix, "a", `{"n":2}`), Put(t, ix, "b", `{"n":1}`))
	before, after := []string{`a v1 {"n":1}`}, []string{`a v2 {"n":2}`, `b v1 {"n":1}`}
	seen, source := before, `{"n":1}`
	if get(t, s, ix, "b", false).Found { // a store may refresh at once
		seen, source = after, `{"n":2}`
	}
	check(t, "search before the refresh", seen, Visible(t, s, ix))
	check(t, "not realtime", source, string(get(t, s, ix, "a", false).Source))
	check(t, "realtime", `{"n":2}`, string(get(t, s, ix, "a", true).Source))
	if !get(t, s, ix, "b", true).Found || get(t, s, ix, "zz", true).Found {
		t.Error("presence is wrong")
	}
	if err := s.Refresh(context.Background(), ix); err != nil {
		t.Fatal(err)
	}
	check(t, "search after the refresh", after, Visible(t, s, ix))
}

func testWaitFor(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i", "index.refresh_interval", "50ms")
	write(t, s, ix, store.RefreshWait, Put(t, ix, "a", `{"n":1}`))
	check(t, "visible", []string{`a v1 {"n":1}`}, Visible(t, s, ix))
}

func testInterval(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i", "index.refresh_interval", "20ms")
	write(t, s, ix, store.RefreshNone, Put(t, ix, "a", `{"n":1}`))
	for range 200 {
		if len(Visible(t, s, ix)) == 1 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("the interval has not refreshed the index")
}

// testWaitEnds: the write is there although the wait has failed.
func testWaitEnds(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i", "index.refresh_interval", "-1")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	r, err := s.Write(ctx, ix, []store.Mutation{Put(t, ix, "a", `{"n":1}`)}, store.RefreshWait)
	if err != nil && (!errors.Is(err, context.DeadlineExceeded) || len(r) != 1 || r[0].Err != nil) {
		t.Fatalf("%+v, %v", r, err)
	}
	if !get(t, s, ix, "a", true).Found {
		t.Error("the document is not there")
	}
	done := make(chan error)
	go func() {
		_, err := s.Write(context.Background(), ix, []store.Mutation{Put(t, ix, "b", `{"n":1}`)}, store.RefreshWait)
		done <- err
	}()
	for !get(t, s, ix, "b", true).Found {
		time.Sleep(time.Millisecond)
	}
	if err := s.Refresh(context.Background(), ix); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if len(Visible(t, s, ix)) != 2 {
		t.Error("the documents are not visible")
	}
}

// testIdle: a search that finds the index idle sees what was written.
func testIdle(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i", "index.search.idle.after", "0s")
	write(t, s, ix, store.RefreshNone, Put(t, ix, "a", `{"n":1}`))
	check(t, "visible", []string{`a v1 {"n":1}`}, Visible(t, s, ix))
	write(t, s, ix, store.RefreshNone, Put(t, ix, "a", `{"n":2}`))
	if doc := get(t, s, ix, "a", false); doc.Version != 2 {
		t.Errorf("%+v", doc)
	}
}
