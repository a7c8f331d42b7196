package embedded

import (
	"context"
	"fmt"
	"hash/crc32"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

// history is what writers and readers of counters know of them: each document counts its
// own writes, and says so in its version and its source.
type history struct {
	ids []string
	// issued is the highest count that may have been written, acknowledged the highest that
	// surely was, and shown the highest that a reader has seen.
	issued, acknowledged, shown []atomic.Int64
	// issue and see are told before a write and after something was seen, if not nil.
	issue, see func(i int, n int64)
}

func newHistory(n int) *history {
	h := &history{issued: make([]atomic.Int64, n), acknowledged: make([]atomic.Int64, n), shown: make([]atomic.Int64, n)}
	for i := range n {
		h.ids = append(h.ids, fmt.Sprint("counter-", i))
	}
	return h
}

// clone copies what is sure; issued is filled in later by those who may have been faster.
func (h *history) clone() *history {
	c := newHistory(len(h.ids))
	for i := range h.ids {
		c.acknowledged[i].Store(h.acknowledged[i].Load())
		c.shown[i].Store(h.shown[i].Load())
	}
	return c
}

// counterSource is whole or not: its sum says so.
func counterSource(id string, n int64) string {
	pad := strings.Repeat("x", int(n%300))
	return fmt.Sprintf(`{"n":%d,"k":"%s","t":"%s","sum":%d}`, n, id, pad, crc32.ChecksumIEEE(fmt.Appendf(nil, "%s %d %s", id, n, pad)))
}

// increment is the next write of a counter; it counts 4 writes before a deletion, so that
// deletions are in the histories too.
func increment(t testing.TB, ix *metadata.Index, id string, n int64) store.Mutation {
	if n%5 == 0 {
		return store.Mutation{ID: id, Apply: func(p store.Prior) (store.Next, error) {
			if p.Version != n-1 {
				return store.Next{}, fmt.Errorf("%s: version %d before write %d", id, p.Version, n)
			}
			return store.Next{Action: store.Delete, Version: n}, nil
		}}
	}
	source := counterSource(id, n)
	doc := &mapping.Document{}
	if _, err := ix.Mapping.ParseDocument(doc, id, "", jsonx.MustParse(source)); err != nil {
		t.Error(err)
	}
	return store.Mutation{ID: id, Apply: func(p store.Prior) (store.Next, error) {
		if p.Version != n-1 {
			return store.Next{}, fmt.Errorf("%s: version %d before write %d", id, p.Version, n)
		}
		return store.Next{Action: store.Put, Version: n, Source: []byte(source), Doc: doc}, nil
	}}
}

// write increments the counters [from, to) in one call until stop says so. acknowledge is
// told of each call that has returned.
func (h *history) write(t testing.TB, s store.Documents, ix *metadata.Index, from, to int, stop func() bool, acknowledge func(i int, n int64)) {
	for call := 0; !stop(); call++ {
		var m []store.Mutation
		var at []int
		for i := from; i < to; i++ {
			for range 1 + (call+i)%2 { // some are written twice in one call
				n := h.issued[i].Add(1)
				if h.issue != nil {
					h.issue(i, n)
				}
				m = append(m, increment(t, ix, h.ids[i], n))
				at = append(at, i)
			}
		}
		results, err := s.Write(context.Background(), ix, m, store.Refresh(call%2))
		if err != nil {
			if !stop() {
				t.Error(err)
			}
			return
		}
		for j, r := range results {
			if r.Err != nil {
				t.Error(r.Err)
				return
			}
			h.acknowledged[at[j]].Store(r.Version)
			if acknowledge != nil {
				acknowledge(at[j], r.Version)
			}
		}
	}
}

// read looks at counters until stop says so.
func (h *history) read(t testing.TB, s store.Documents, ix *metadata.Index, stop func() bool) {
	for !stop() {
		docs, err := s.Get(context.Background(), ix, h.ids, true)
		if err != nil {
			if !stop() {
				t.Error(err)
			}
			return
		}
		for i, d := range docs {
			if d.Found {
				h.saw(i, d.Version)
			}
		}
		snap, err := s.Snapshot(context.Background(), ix, store.HoldForRequest)
		if err != nil {
			if !stop() {
				t.Error(err)
			}
			return
		}
		for _, p := range snap.Parts() {
			for doc := range uint32(p.Len()) {
				if p.Live == nil || p.Live.Contains(doc) {
					var i int
					if _, err := fmt.Sscanf(p.ID(doc), "counter-%d", &i); err != nil {
						t.Error(err)
					}
					h.saw(i, p.Version(doc))
				}
			}
		}
		snap.Release()
	}
}

func (h *history) saw(i int, n int64) {
	if known := h.shown[i].Load(); n > known {
		raise(&h.shown[i], n)
		if h.see != nil {
			h.see(i, n)
		}
	}
}

func raise(a *atomic.Int64, to int64) {
	for {
		if known := a.Load(); known >= to || a.CompareAndSwap(known, to) {
			return
		}
	}
}

// check holds a store that was opened again against the history: every counter is at a
// count that was issued, and not below one that was acknowledged or shown; each document
// is whole; searches see what reads by _id see; and what is there can be gone on with. It
// leaves the store's counts as the history's.
func (h *history) check(t testing.TB, s storetest.Store, ix *metadata.Index) {
	t.Helper()
	ctx := context.Background()
	seen := map[string]int64{}
	snap, err := s.Snapshot(ctx, ix, store.HoldForRequest)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range storetest.Read(t, snap) {
		var id string
		var n int64
		if _, err := fmt.Sscanf(line, "%s v%d", &id, &n); err != nil {
			t.Fatal(err)
		}
		if seen[id] != 0 {
			t.Errorf("a search sees %s twice", id)
		}
		seen[id] = n
	}
	snap.Release()
	for i, id := range h.ids {
		n := int64(-1)
		results, err := s.Write(ctx, ix, []store.Mutation{{ID: id, NeedSource: true, Apply: func(p store.Prior) (store.Next, error) {
			n = p.Version
			switch want := counterSource(id, n); {
			case p.Found && (n%5 == 0 || string(p.Source) != want):
				t.Errorf("%s at %d holds %s, want %s", id, n, p.Source, want)
			case !p.Found && n%5 != 0:
				t.Errorf("%s at %d is not there", id, n)
			case p.Found != (seen[id] != 0) || p.Found && seen[id] != n:
				t.Errorf("%s is at %d, but a search sees %d", id, n, seen[id])
			}
			return store.Next{}, nil
		}}}, store.RefreshNone)
		if err != nil || results[0].Err != nil {
			t.Fatal(err, results)
		}
		low, high := max(h.acknowledged[i].Load(), h.shown[i].Load()), h.issued[i].Load()
		if n < low || n > high {
			t.Errorf("%s is at %d; acknowledged were %d, shown %d, issued %d", id, n, h.acknowledged[i].Load(), h.shown[i].Load(), high)
		}
		h.issued[i].Store(n)
		h.acknowledged[i].Store(n)
		h.shown[i].Store(0)
	}
}

// run has writers and readers at work until stop is called, which waits for them.
func (h *history) run(t testing.TB, s store.Documents, ix *metadata.Index, acknowledge func(i int, n int64)) (stop func()) {
	var done atomic.Bool
	var group sync.WaitGroup
	const writers = 4
	each := len(h.ids) / writers
	for w := range writers {
		group.Go(func() { h.write(t, s, ix, w*each, (w+1)*each, done.Load, acknowledge) })
	}
	group.Go(func() { h.read(t, s, ix, done.Load) })
	return func() {
		done.Store(true)
		group.Wait()
	}
}
