// Package storetest is the suite that every store passes: what a write makes durable and
// visible, what a snapshot keeps, and how the catalog changes.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
)

// Store is both ports.
type Store interface {
	store.Documents
	store.Catalog
}

// Opener opens a store on a place of the test's own; opening the same place again after
// Close shows what was there.
type Opener func(t *testing.T) Store

// Index makes an index with the fields k (keyword), n (long) and t (text).
func Index(t testing.TB, s Store, name string, settings ...string) *metadata.Index {
	t.Helper()
	var created *metadata.Index
	_, err := s.Update(context.Background(), func(state *metadata.State) (*metadata.State, error) {
		next, ix, err := state.CreateIndex(metadata.Creation{Name: name, UUID: "uuid-" + name, At: time.UnixMilli(1),
			Definition: metadata.Definition{Settings: metadata.NewSettings(settings...),
				Mappings: jsonx.MustParse(`{"properties":{"k":{"type":"keyword"},"n":{"type":"long"},"t":{"type":"text"}}}`)}})
		created = ix
		return next, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CreateIndex(context.Background(), created); err != nil {
		t.Fatal(err)
	}
	return created
}

// Put stores a source under the next version.
func Put(t testing.TB, ix *metadata.Index, id, source string) store.Mutation {
	t.Helper()
	doc := &mapping.Document{}
	if _, err := ix.Mapping.ParseDocument(doc, id, "", jsonx.MustParse(source)); err != nil {
		t.Fatal(err)
	}
	return store.Mutation{ID: id, Apply: func(p store.Prior) (store.Next, error) {
		return store.Next{Action: store.Put, Version: p.Version + 1, Source: []byte(source), Doc: doc}, nil
	}}
}

// Remove deletes a document under the next version.
func Remove(id string) store.Mutation {
	return store.Mutation{ID: id, Apply: func(p store.Prior) (store.Next, error) {
		return store.Next{Action: store.Delete, Version: p.Version + 1}, nil
	}}
}

func write(t testing.TB, s Store, ix *metadata.Index, r store.Refresh, m ...store.Mutation) []store.Result {
	t.Helper()
	results, err := s.Write(context.Background(), ix, m, r)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func get(t testing.TB, s Store, ix *metadata.Index, id string, realtime bool) store.Stored {
	t.Helper()
	docs, err := s.Get(context.Background(), ix, []string{id}, realtime)
	if err != nil {
		t.Fatal(err)
	}
	return docs[0]
}

// Visible lists what a search sees: id, version and source, in the order of _seq_no.
func Visible(t testing.TB, s Store, ix *metadata.Index) []string {
	t.Helper()
	snap, err := s.Snapshot(context.Background(), ix)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Release()
	return Read(t, snap)
}

// Read lists the documents of a snapshot.
func Read(t testing.TB, snap store.Snapshot) []string {
	t.Helper()
	var out []string
	last := int64(-1)
	for _, p := range snap.Parts() {
		for doc := range uint32(p.Len()) {
			if p.SeqNo(doc) <= last {
				t.Fatalf("_seq_no %d after %d", p.SeqNo(doc), last)
			}
			last = p.SeqNo(doc)
			if p.Live != nil && !p.Live.Contains(doc) {
				continue
			}
			docs, err := snap.Sources(context.Background(), []int64{p.SeqNo(doc)})
			if err != nil {
				t.Fatal(err)
			}
			if !docs[0].Found || docs[0].ID != p.ID(doc) || docs[0].Version != p.Version(doc) {
				t.Fatalf("document %s v%d of the columns is %+v in the store", p.ID(doc), p.Version(doc), docs[0])
			}
			out = append(out, fmt.Sprintf("%s v%d %s", docs[0].ID, docs[0].Version, docs[0].Source))
		}
		if err := p.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func check[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
}

// Run runs the suite.
func Run(t *testing.T, open Opener) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Opener)
	}{
		{"versions and sequence numbers", testVersions},
		{"one document several times in one call", testSameDocument},
		{"a refusal changes nothing", testRefusal},
		{"realtime and refreshed reads", testVisibility},
		{"wait for a refresh", testWaitFor},
		{"refresh by the interval", testInterval},
		{"snapshots keep what they saw", testSnapshots},
		{"everything is there after a restart", testRestart},
		{"dropped indices", testDrop},
		{"the catalog under concurrency", testCatalog},
		{"writers of one document", testWriters},
		{"statistics", testStats},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open) })
	}
}

func testVersions(t *testing.T, open Opener) {
	s := open(t)
	defer s.Close()
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
	defer s.Close()
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
	defer s.Close()
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

func testVisibility(t *testing.T, open Opener) {
	s := open(t)
	defer s.Close()
	ix := Index(t, s, "i", "index.refresh_interval", "-1")
	write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{"n":1}`))
	write(t, s, ix, store.RefreshNone, Put(t, ix, "a", `{"n":2}`), Put(t, ix, "b", `{"n":1}`))
	check(t, "search before the refresh", []string{`a v1 {"n":1}`}, Visible(t, s, ix))
	check(t, "realtime", `{"n":2}`, string(get(t, s, ix, "a", true).Source))
	check(t, "not realtime", `{"n":1}`, string(get(t, s, ix, "a", false).Source))
	if get(t, s, ix, "b", false).Found || !get(t, s, ix, "b", true).Found || get(t, s, ix, "zz", true).Found {
		t.Error("presence is wrong")
	}
	if err := s.Refresh(context.Background(), ix); err != nil {
		t.Fatal(err)
	}
	check(t, "search after the refresh", []string{`a v2 {"n":2}`, `b v1 {"n":1}`}, Visible(t, s, ix))
}

func testWaitFor(t *testing.T, open Opener) {
	s := open(t)
	defer s.Close()
	ix := Index(t, s, "i", "index.refresh_interval", "50ms")
	write(t, s, ix, store.RefreshWait, Put(t, ix, "a", `{"n":1}`))
	check(t, "visible", []string{`a v1 {"n":1}`}, Visible(t, s, ix))
}

func testInterval(t *testing.T, open Opener) {
	s := open(t)
	defer s.Close()
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

func testSnapshots(t *testing.T, open Opener) {
	s := open(t)
	defer s.Close()
	ix := Index(t, s, "i", "index.refresh_interval", "-1")
	const n = 300
	var first []store.Mutation
	for i := range n {
		first = append(first, Put(t, ix, fmt.Sprint(i), fmt.Sprintf(`{"n":%d,"k":"old"}`, i)))
	}
	write(t, s, ix, store.RefreshNow, first...)
	old, err := s.Snapshot(context.Background(), ix)
	if err != nil {
		t.Fatal(err)
	}
	before := Read(t, old)
	for round := range 5 {
		var changes []store.Mutation
		for i := round; i < n; i += 3 {
			if i%2 == 0 {
				changes = append(changes, Remove(fmt.Sprint(i)))
			} else {
				changes = append(changes, Put(t, ix, fmt.Sprint(i), fmt.Sprintf(`{"n":%d,"k":"new"}`, i)))
			}
		}
		write(t, s, ix, store.RefreshNow, changes...)
		if err := s.Flush(context.Background(), ix); err != nil {
			t.Fatal(err)
		}
		check(t, "an old snapshot", before, Read(t, old))
	}
	old.Release()
	now := Visible(t, s, ix)
	for _, line := range now {
		if strings.Contains(line, "old") {
			t.Fatalf("a replaced document is still seen: %s", line)
		}
	}
	time.Sleep(50 * time.Millisecond) // what nobody holds is removed meanwhile
	check(t, "after the release", now, Visible(t, s, ix))
}

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
	defer s.Close()
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

func testDrop(t *testing.T, open Opener) {
	s := open(t)
	defer s.Close()
	ix := Index(t, s, "i")
	write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{"n":1}`))
	snap, err := s.Snapshot(context.Background(), ix)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DropIndex(context.Background(), ix.UUID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write(context.Background(), ix, []store.Mutation{Put(t, ix, "b", `{}`)}, store.RefreshNone); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("a write to a dropped index: %v", err)
	}
	check(t, "a snapshot of a dropped index", []string{`a v1 {"n":1}`}, Read(t, snap))
	snap.Release()
	if err := s.CreateIndex(context.Background(), ix); err != nil {
		t.Fatal(err)
	}
}

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
	defer s.Close()
	after, err := s.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if string(after.AppendBinary(nil)) != string(before.AppendBinary(nil)) {
		t.Error("the metadata differ after a restart")
	}
}

// testWriters: every acknowledged increment of a counter is there in the end.
func testWriters(t *testing.T, open Opener) {
	s := open(t)
	defer s.Close()
	ix := Index(t, s, "i")
	write(t, s, ix, store.RefreshNone, Put(t, ix, "c", `{"n":0}`))
	var done atomic.Int64
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			for range 60 {
				r := write(t, s, ix, store.RefreshNone, store.Mutation{ID: "c", NeedSource: true, Apply: func(p store.Prior) (store.Next, error) {
					v, err := jsonx.Parse(p.Source)
					if err != nil {
						return store.Next{}, err
					}
					n, _ := v.Get("n").Int64()
					source := fmt.Sprintf(`{"n":%d}`, n+1)
					doc := &mapping.Document{}
					if _, err := ix.Mapping.ParseDocument(doc, "c", "", jsonx.MustParse(source)); err != nil {
						return store.Next{}, err
					}
					return store.Next{Action: store.Put, Version: p.Version + 1, Source: []byte(source), Doc: doc}, nil
				}})
				if r[0].Err == nil {
					done.Add(1)
				}
			}
		})
	}
	group.Wait()
	doc := get(t, s, ix, "c", true)
	if want := fmt.Sprintf(`{"n":%d}`, done.Load()); string(doc.Source) != want || doc.Version != done.Load()+1 {
		t.Errorf("%s v%d after %d increments", doc.Source, doc.Version, done.Load())
	}
}

func testStats(t *testing.T, open Opener) {
	s := open(t)
	defer s.Close()
	ix := Index(t, s, "i")
	write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{"n":1}`), Put(t, ix, "b", `{"n":2}`), Remove("a"))
	st, err := s.Stats(context.Background(), ix)
	if err != nil {
		t.Fatal(err)
	}
	if st.Docs != 1 || st.MaxSeqNo != 2 || st.MemoryBytes <= 0 || !slices.Contains([]int64{0, 1}, st.Deleted) {
		t.Errorf("%+v", st)
	}
}
