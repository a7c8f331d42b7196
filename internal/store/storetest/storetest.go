// Package storetest is the suite that every store passes: what a write makes durable and
// visible, what a snapshot keeps, and how the catalog changes.
package storetest

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

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

// Opener opens a store on one place; opening it again after Close shows what was there.
type Opener func(t testing.TB) Store

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
	snap, err := s.Snapshot(context.Background(), ix, store.HoldForRequest)
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

func check[T any](t testing.TB, what string, want, got T) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Errorf("%s: got %+v, want %+v", what, got, want)
	}
}

// Run runs the suite; place gives an empty place.
func Run(t *testing.T, place func(t *testing.T) Opener) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Opener)
	}{
		{"versions and sequence numbers", testVersions},
		{"versions from outside", testOutsideVersions},
		{"one document several times in one call", testSameDocument},
		{"a large call", testLargeCall},
		{"a refusal changes nothing", testRefusal},
		{"routing and ignored fields", testFields},
		{"tombstones are forgotten", testTombstones},
		{"no such index", testNoIndex},
		{"realtime and refreshed reads", testVisibility},
		{"wait for a refresh", testWaitFor},
		{"waiting that ends without a refresh", testWaitEnds},
		{"refresh by the interval", testInterval},
		{"a search of an idle index", testIdle},
		{"snapshots keep what they saw", testSnapshots},
		{"names of snapshots", testSnapshotID},
		{"columns", testColumns},
		{"everything is there after a restart", testRestart},
		{"primary terms", testTerms},
		{"closed", testClosed},
		{"dropped indices", testDrop},
		{"the catalog under concurrency", testCatalog},
		{"writers of one document", testWriters},
		{"writers and readers", testReaders},
		{"statistics", testStats},
		{"random calls", testRandom},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, place(t)) })
	}
}

func closeStore(t testing.TB, s Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
