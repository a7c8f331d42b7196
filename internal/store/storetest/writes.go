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

func testVersions(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i")
	for i, want := range []store.Result{
		{Action: store.Put, Version: 1, SeqNo: 0},
		{Action: store.Put, Version: 2, SeqNo: 1, Found: true},
	} {
		r := write(t, s, ix, store.RefreshNone, Put(t, ix, "a", fmt.Sprintf(`{"n":%d}`, i)))[0]
		want.PrimaryTerm, want.Source = 1, []byte(fmt.Sprintf(`{"n":%d}`, i))
		check(t, "put", want, r)
	}
	check(t, "delete", store.Result{Action: store.Delete, Version: 3, SeqNo: 2, Found: true, PrimaryTerm: 1}, write(t, s, ix, store.RefreshNone, Remove("a"))[0])
	check(t, "delete of what is gone", store.Result{Action: store.Delete, Version: 4, SeqNo: 3, PrimaryTerm: 1}, write(t, s, ix, store.RefreshNone, Remove("a"))[0])
	var prior store.Prior
	write(t, s, ix, store.RefreshNone, store.Mutation{ID: "a", Apply: func(p store.Prior) (store.Next, error) { prior = p; return store.Next{}, nil }})
	check(t, "tombstone", store.Prior{Tombstone: true, Version: 4, SeqNo: 3, PrimaryTerm: 1}, prior)
	if r := write(t, s, ix, store.RefreshNone, Put(t, ix, "a", `{}`))[0]; r.Version != 5 || r.Found {
		t.Errorf("a document after its deletion: %+v", r)
	}
}

func testSameDocument(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i")
	r := write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{"n":1}`), Put(t, ix, "b", `{"n":9}`), Put(t, ix, "a", `{"n":2}`), Remove("a"), Put(t, ix, "a", `{"n":3}`), Remove("b"))
	var versions []int64
	for _, x := range r {
		versions = append(versions, x.Version)
	}
	check(t, "versions", []int64{1, 1, 2, 3, 4, 2}, versions)
	check(t, "visible", []string{`a v4 {"n":3}`}, Visible(t, s, ix))
	var source string
	write(t, s, ix, store.RefreshNone, Put(t, ix, "a", `{"n":4}`), store.Mutation{ID: "a", NeedSource: true, Apply: func(p store.Prior) (store.Next, error) {
		source = string(p.Source)
		return store.Next{}, nil
	}})
	check(t, "the source seen within a call", `{"n":4}`, source)
}

func testRefusal(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i")
	refusal := errors.New("no")
	r := write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{"n":1}`),
		store.Mutation{ID: "a", Apply: func(store.Prior) (store.Next, error) { return store.Next{}, refusal }},
		store.Mutation{ID: "a", Apply: func(store.Prior) (store.Next, error) { return store.Next{Action: store.Noop}, nil }})
	if !errors.Is(r[1].Err, refusal) {
		t.Errorf("refusal %+v", r[1])
	}
	if r[2].Err != nil || r[2].Action != store.Noop || r[2].Version != 1 || r[2].SeqNo != 0 {
		t.Errorf("noop %+v", r[2])
	}
	check(t, "visible", []string{`a v1 {"n":1}`}, Visible(t, s, ix))
}

// testOutsideVersions: the version is whatever Apply says.
func testOutsideVersions(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i")
	at := func(version int64, m store.Mutation) store.Mutation {
		return store.Mutation{ID: m.ID, Apply: func(p store.Prior) (store.Next, error) {
			next, err := m.Apply(p)
			next.Version = version
			return next, err
		}}
	}
	write(t, s, ix, store.RefreshNow, at(1<<60, Put(t, ix, "a", `{"n":1}`)), at(7, Put(t, ix, "b", `{}`)))
	check(t, "visible", []string{`a v1152921504606846976 {"n":1}`, `b v7 {}`}, Visible(t, s, ix))
	write(t, s, ix, store.RefreshNow, at(5, Remove("b")))
	var prior store.Prior
	write(t, s, ix, store.RefreshNone, store.Mutation{ID: "b", Apply: func(p store.Prior) (store.Next, error) { prior = p; return store.Next{}, nil }})
	check(t, "prior", store.Prior{Tombstone: true, Version: 5, SeqNo: 2, PrimaryTerm: 1}, prior)
}

func testLargeCall(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i")
	const n = 900
	var all []store.Mutation
	for i := range n {
		all = append(all, Put(t, ix, fmt.Sprint(i%600), fmt.Sprintf(`{"n":%d,"k":"%0500d"}`, i, i)))
	}
	for i, r := range write(t, s, ix, store.RefreshNow, all...) {
		if r.Err != nil || r.SeqNo != int64(i) || r.Version != int64(1+i/600) || r.Found != (i >= 600) {
			t.Fatalf("mutation %d: %+v", i, r)
		}
	}
	if got := len(Visible(t, s, ix)); got != 600 {
		t.Errorf("%d documents, want 600", got)
	}
	// A last part without an effect.
	all = append(all[:600], store.Mutation{ID: "0", Apply: func(store.Prior) (store.Next, error) { return store.Next{}, nil }})
	if r := write(t, s, ix, store.RefreshNone, all...); r[600].Version != 3 {
		t.Errorf("%+v", r[600])
	}
}

func testFields(t *testing.T, open Opener) {
	s := open(t)
	ix := Index(t, s, "i")
	m := Put(t, ix, "a", `{"n":1}`)
	write(t, s, ix, store.RefreshNow, store.Mutation{ID: "a", Apply: func(p store.Prior) (store.Next, error) {
		next, err := m.Apply(p)
		next.Routing, next.Doc.Ignored = "r", []string{"k", "n"}
		return next, err
	}})
	want := store.Stored{Found: true, ID: "a", Routing: "r", Source: []byte(`{"n":1}`), Version: 1, PrimaryTerm: 1, Ignored: []string{"k", "n"}}
	look := func(when string) {
		for _, realtime := range []bool{true, false} {
			check(t, when, want, get(t, s, ix, "a", realtime))
		}
		snap, err := s.Snapshot(context.Background(), ix, store.HoldForRequest)
		if err != nil {
			t.Fatal(err)
		}
		defer snap.Release()
		if got := snap.Parts()[0].Routing(0); got != "r" {
			t.Errorf("%s: the routing in the columns is %q", when, got)
		}
	}
	look("at once")
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	look("after a restart")
	var prior store.Prior
	write(t, s, ix, store.RefreshNone, store.Mutation{ID: "a", NeedSource: true, Apply: func(p store.Prior) (store.Next, error) { prior = p; return store.Next{}, nil }})
	check(t, "prior", store.Prior{Found: true, Version: 1, PrimaryTerm: 1, Routing: "r", Source: []byte(`{"n":1}`)}, prior)
}

func testTombstones(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i", "index.gc_deletes", "50ms")
	write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{}`), Remove("a"))
	time.Sleep(100 * time.Millisecond)
	if r := write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{}`))[0]; r.Version != 1 || r.SeqNo != 2 || r.Found {
		t.Errorf("long after a deletion: %+v", r)
	}
}

func testNoIndex(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i")
	if err := s.DropIndex(context.Background(), ix.UUID); err != nil {
		t.Fatal(err)
	}
	for what, err := range calls(t, s, ix) {
		if !errors.Is(err, store.ErrNoIndex) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// calls makes every call on an index once.
func calls(t *testing.T, s Store, ix *metadata.Index) map[string]error {
	ctx := context.Background()
	errs := map[string]error{}
	_, errs["write"] = s.Write(ctx, ix, []store.Mutation{Put(t, ix, "a", `{}`)}, store.RefreshNone)
	_, errs["get"] = s.Get(ctx, ix, []string{"a"}, true)
	_, errs["get not in realtime"] = s.Get(ctx, ix, []string{"a"}, false)
	_, errs["snapshot"] = s.Snapshot(ctx, ix, store.HoldForRequest)
	errs["refresh"] = s.Refresh(ctx, ix)
	errs["flush"] = s.Flush(ctx, ix)
	_, errs["stats"] = s.Stats(ctx, ix)
	return errs
}
