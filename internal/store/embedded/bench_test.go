package embedded

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

var bg = context.Background()

// benchSource is a document of about 200 bytes with a field of each common kind.
func benchSource(i int) string {
	return fmt.Sprintf(`{"n":%d,"k":"key%d","t":"the quick brown fox number %d jumps over the lazy dog of street %d in town %d"}`, i, i%1000, i, i%317, i%41)
}

// puts are writes of documents [from, to); their parsing is not part of what is measured.
func puts(b *testing.B, ix *metadata.Index, from, to int) []store.Mutation {
	b.Helper()
	m := make([]store.Mutation, 0, to-from)
	for i := from; i < to; i++ {
		source := []byte(benchSource(i))
		doc := &mapping.Document{}
		id := fmt.Sprint("document-", i)
		if _, err := ix.Mapping.ParseDocument(doc, id, "", jsonx.MustParse(string(source))); err != nil {
			b.Fatal(err)
		}
		m = append(m, store.Mutation{ID: id, Apply: func(p store.Prior) (store.Next, error) {
			return store.Next{Action: store.Put, Version: p.Version + 1, Source: source, Doc: doc}, nil
		}})
	}
	return m
}

func benchWrite(b *testing.B, s *Store, ix *metadata.Index, m []store.Mutation, r store.Refresh) {
	b.Helper()
	if _, err := s.Write(bg, ix, m, r); err != nil {
		b.Fatal(err)
	}
}

func benchStore(b *testing.B, docs int) (*Store, *metadata.Index) {
	b.Helper()
	s := openAt(b, filepath.Join(b.TempDir(), "data"), testOptions())
	ix := storetest.Index(b, s, "i", "index.refresh_interval", "-1")
	for from := 0; from < docs; from += 1000 {
		benchWrite(b, s, ix, puts(b, ix, from, min(docs, from+1000)), store.RefreshNone)
	}
	if err := s.Refresh(bg, ix); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { closeStore(b, s) })
	return s, ix
}

// BenchmarkBulk writes 1,000 documents in a call: new ones, and the same ones again.
func BenchmarkBulk(b *testing.B) {
	for _, c := range []struct {
		name string
		same bool
	}{{"new", false}, {"again", true}} {
		b.Run(c.name, func(b *testing.B) {
			s, ix := benchStore(b, 10_000)
			next := 10_000
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				b.StopTimer()
				from := 0
				if !c.same {
					from, next = next, next+1000
				}
				m := puts(b, ix, from, from+1000)
				b.StartTimer()
				benchWrite(b, s, ix, m, store.RefreshNone)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "µs/doc")
		})
	}
}

// BenchmarkWriteOne writes single documents, by one and by many clients, who share syncs.
func BenchmarkWriteOne(b *testing.B) {
	for _, clients := range []int{1, 16} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			s, ix := benchStore(b, 10_000)
			m := puts(b, ix, 0, 10_000)
			b.SetParallelism(clients)
			b.ResetTimer()
			one := func(i int) {
				if _, err := s.Write(bg, ix, m[i%len(m):i%len(m)+1], store.RefreshNone); err != nil {
					b.Error(err)
				}
			}
			if clients == 1 {
				for i := 0; b.Loop(); i++ {
					one(i)
				}
				return
			}
			b.RunParallel(func(pb *testing.PB) {
				for i := int(time.Now().UnixNano() % 10_000); pb.Next(); i++ {
					// Each client parses its own: a Document is written to by the store.
					k := i % len(m)
					source := []byte(benchSource(k))
					doc := &mapping.Document{}
					if _, err := ix.Mapping.ParseDocument(doc, m[k].ID, "", jsonx.MustParse(string(source))); err != nil {
						b.Error(err)
					}
					_, err := s.Write(bg, ix, []store.Mutation{{ID: m[k].ID, Apply: func(p store.Prior) (store.Next, error) {
						return store.Next{Action: store.Put, Version: p.Version + 1, Source: source, Doc: doc}, nil
					}}}, store.RefreshNone)
					if err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

func BenchmarkGet(b *testing.B) {
	s, ix := benchStore(b, 10_000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		docs, err := s.Get(bg, ix, []string{fmt.Sprint("document-", i*7%10_000)}, true)
		if err != nil || !docs[0].Found {
			b.Fatal(docs, err)
		}
	}
}

// BenchmarkRefresh writes one document and refreshes.
func BenchmarkRefresh(b *testing.B) {
	s, ix := benchStore(b, 10_000)
	m := puts(b, ix, 0, 10_000)
	for i := 0; b.Loop(); i++ {
		benchWrite(b, s, ix, m[i%len(m):i%len(m)+1], store.RefreshNow)
	}
}

// BenchmarkSources reads a page of twenty documents.
func BenchmarkSources(b *testing.B) {
	s, ix := benchStore(b, 10_000)
	snap, err := s.Snapshot(bg, ix, store.HoldForRequest)
	if err != nil {
		b.Fatal(err)
	}
	defer snap.Release()
	seqs := make([]int64, 20)
	for i := 0; b.Loop(); i++ {
		for j := range seqs {
			seqs[j] = int64((i*31 + j*487) % 10_000)
		}
		if _, err := snap.Sources(bg, seqs); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStart opens a store; POSTERN_SOAK adds a million documents.
func BenchmarkStart(b *testing.B) {
	sizes := []int{10_000, 100_000}
	if os.Getenv("POSTERN_SOAK") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, docs := range sizes {
		b.Run(fmt.Sprint(docs), func(b *testing.B) {
			folder := filepath.Join(b.TempDir(), "data")
			s := openAt(b, folder, testOptions())
			ix := storetest.Index(b, s, "i")
			for from := 0; from < docs; from += 1000 {
				benchWrite(b, s, ix, puts(b, ix, from, from+1000), store.RefreshNone)
			}
			closeStore(b, s)
			for b.Loop() {
				s := openAt(b, folder, testOptions())
				b.StopTimer()
				closeStore(b, s)
				b.StartTimer()
			}
		})
	}
}
