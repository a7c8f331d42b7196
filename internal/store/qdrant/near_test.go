package qdrant

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"postern/conformance/engines/qdranttest"
	"postern/internal/metadata"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

func TestExclusiveStore(t *testing.T) {
	server := qdranttest.Start(t)
	storetest.Run(t, func(t *testing.T) storetest.Opener {
		o := place(t, server.Addr)
		o.Exclusive, o.NearMemory = true, 64<<20
		return func(t testing.TB) storetest.Store { return open(t, o) }
	})
}

// TestNear lets writers and readers work on the columns in memory, and holds them against
// a scan of what is in Qdrant in the end.
func TestNear(t *testing.T) {
	o := place(t, qdranttest.Start(t).Addr)
	o.Exclusive, o.NearMemory = true, 64<<20
	s := open(t, o)
	defer s.Close()
	ix := storetest.Index(t, s, "i")
	if w := s.Weigh(ix); w.Near || !w.Keeps {
		t.Errorf("before the first search: %+v", w)
	}
	storetest.Visible(t, s, ix)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	var writers sync.WaitGroup
	for w := range 3 {
		writers.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(w)))
			for range 30 {
				var m []store.Mutation
				for range 1 + rng.IntN(120) {
					id := fmt.Sprint(rng.IntN(900)*3 + w)
					if rng.IntN(5) == 0 {
						m = append(m, storetest.Remove(id))
					} else {
						m = append(m, storetest.Put(t, ix, id, fmt.Sprintf(`{"n":%d,"k":"k%d"}`, rng.IntN(1000), rng.IntN(5))))
					}
				}
				last := m[len(m)-1].ID
				results, err := s.Write(t.Context(), ix, m, store.RefreshNone)
				if err != nil {
					t.Error(err)
					return
				}
				snap, err := s.Snapshot(t.Context(), ix, store.HoldForRequest)
				if err != nil {
					t.Error(err)
					return
				}
				r := results[len(results)-1]
				if _, seen := snap.(*snapshot).find(r.SeqNo); seen != (r.Action == store.Put) {
					t.Errorf("%s is seen: %v, after its %v", last, seen, r.Action)
				}
				snap.Release()
			}
		})
	}
	writers.Wait()
	if !s.Weigh(ix).Near {
		t.Fatal("the columns are not in memory")
	}
	calls := s.Calls()
	snap, err := s.Snapshot(t.Context(), ix, store.HoldForRequest)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Release()
	if s.Calls() != calls {
		t.Error("a snapshot of columns in memory took a call")
	}
	scanned, err := s.Snapshot(t.Context(), ix, store.HoldForContext)
	if err != nil {
		t.Fatal(err)
	}
	defer scanned.Release()
	want, got := columnsIn(t, scanned), columnsIn(t, snap)
	if len(want) == 0 || fmt.Sprint(want) != fmt.Sprint(got) {
		t.Errorf("%d documents in memory, %d in Qdrant, or others", len(got), len(want))
	}
}

// columnsIn lists the documents of a snapshot as its columns have them.
func columnsIn(t *testing.T, snap store.Snapshot) []string {
	var all []string
	last := int64(-1)
	for _, p := range snap.Parts() {
		for doc := range uint32(p.Len()) {
			if p.SeqNo(doc) <= last {
				t.Errorf("_seq_no %d after %d", p.SeqNo(doc), last)
			}
			last = p.SeqNo(doc)
			if p.Live == nil || p.Live.Contains(doc) {
				k := p.Keyword("k")
				all = append(all, fmt.Sprint(p.ID(doc), p.Version(doc), last, p.Long("n").Values(doc), k.Term(k.Ords(doc)[0])))
			}
		}
	}
	return all
}

// TestNearIsBounded lets two indices compete for the memory of one.
func TestNearIsBounded(t *testing.T) {
	o := place(t, qdranttest.Start(t).Addr)
	o.Exclusive, o.NearMemory = true, 64<<20
	s := open(t, o)
	defer s.Close()
	both := []*metadata.Index{storetest.Index(t, s, "a"), storetest.Index(t, s, "b")}
	put := func(from, to int) {
		for _, ix := range both {
			var m []store.Mutation
			for i := from; i < to; i++ {
				m = append(m, storetest.Put(t, ix, fmt.Sprint(i), fmt.Sprintf(`{"n":%d,"k":"key %d"}`, i, i)))
			}
			if _, err := s.Write(t.Context(), ix, m, store.RefreshNone); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(0, 400)
	see := func() (near int) {
		for _, ix := range both {
			snap, err := s.Snapshot(t.Context(), ix, store.HoldForRequest)
			if err != nil {
				t.Fatal(err)
			}
			snap.Release()
		}
		for _, ix := range both {
			if s.Weigh(ix).Near {
				near++
			}
		}
		return near
	}
	if n := see(); n != 2 {
		t.Errorf("%d of two indices are in memory, want both", n)
	}
	stats, err := s.Stats(t.Context(), both[0])
	if err != nil {
		t.Fatal(err)
	}
	s.opts.NearMemory = stats.MemoryBytes * 3 / 2
	if n := see(); n != 1 {
		t.Errorf("%d of two indices are in memory, want 1", n)
	}
	put(400, 3000)
	if n := see(); n != 0 {
		t.Errorf("%d of two indices that are too large are in memory", n)
	}
}
