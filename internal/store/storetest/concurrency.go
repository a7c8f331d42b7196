package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/store"
)

// testWriters: every acknowledged increment of a counter is there in the end.
func testWriters(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
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

// testReaders: while documents are overwritten, every snapshot sees each of them once and
// in whole, never older than what was seen before, and its columns are those of its
// sources.
func testReaders(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i", "index.refresh_interval", "5ms")
	const docs, rounds = 21, 12
	var first []store.Mutation
	for i := range docs {
		first = append(first, Put(t, ix, fmt.Sprint(i), document(i)))
	}
	write(t, s, ix, store.RefreshNow, first...)
	var writers, readers sync.WaitGroup
	var done atomic.Bool
	for w := range 3 {
		writers.Go(func() {
			for round := range rounds {
				var m []store.Mutation
				for i := w; i < docs; i += 3 {
					m = append(m, Put(t, ix, fmt.Sprint(i), document(i+docs*(round+1))))
				}
				write(t, s, ix, store.Refresh(round%3), m...)
				if round%5 == w {
					if err := s.Flush(t.Context(), ix); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for range 2 {
		readers.Go(func() {
			last := map[string]int64{}
			for !done.Load() {
				snap, err := s.Snapshot(t.Context(), ix, store.HoldForContext)
				if err != nil {
					t.Error(err)
					return
				}
				seen := 0
				for _, p := range snap.Parts() {
					for doc := range uint32(p.Len()) {
						if p.Live != nil && !p.Live.Contains(doc) {
							continue
						}
						seen++
						id := p.ID(doc)
						if p.Version(doc) < last[id] {
							t.Errorf("document %s went back from version %d to %d", id, last[id], p.Version(doc))
						}
						last[id] = p.Version(doc)
					}
				}
				if seen != docs {
					t.Errorf("a snapshot sees %d documents, want %d", seen, docs)
				}
				checkColumns(t, snap)
				snap.Release()
			}
		})
	}
	writers.Wait()
	done.Store(true)
	readers.Wait()
}
