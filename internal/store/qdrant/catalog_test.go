package qdrant

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"postern/conformance/engines/qdranttest"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

// TestMappingRace lets two gateways bring the same new fields with different types: one of
// them wins each field, the other's document is refused or read as the winner's type, and
// every document that was taken has the columns that its mapping says.
func TestMappingRace(t *testing.T) {
	o := place(t, qdranttest.Start(t).Addr)
	stores := []*Store{open(t, o), open(t, o)}
	for _, s := range stores {
		defer s.Close()
	}
	if _, err := newMutator(stores[0]).CreateIndex(t.Context(), metadata.Creation{Name: "i"}); err != nil {
		t.Fatal(err)
	}
	const fields = 20
	taken := make([][fields]bool, 2)
	var group sync.WaitGroup
	for g, s := range stores {
		m := newMutator(s)
		group.Go(func() {
			for i := range fields {
				value := []string{`7`, `"2020-01-02"`}[g]
				op := mutate.Op{Index: "i", ID: fmt.Sprint(g, "-", i), GivenID: true, Source: fmt.Appendf(nil, `{"f%d":%s}`, i, value)}
				out, err := m.Apply(context.Background(), []mutate.Op{op}, store.RefreshNone)
				if err != nil {
					t.Error(err)
					continue
				}
				if e, refused := eserr.As(out[0].Err); out[0].Err != nil && (!refused || e.Status != 400) {
					t.Error(out[0].Err)
				}
				taken[g][i] = out[0].Err == nil
			}
		})
	}
	group.Wait()
	state, err := stores[0].Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ix := state.Index("i")
	for i := range fields {
		f := ix.Mapping.Field(fmt.Sprint("f", i))
		if f == nil {
			t.Fatalf("f%d is not mapped", i)
		}
		long, date := taken[0][i], taken[1][i]
		if !long && !date || date && f.Type != "date" && f.Type != "text" {
			t.Errorf("f%d is %s; its long was taken: %v, its date: %v", i, f.Type, long, date)
		}
		want := int64(0)
		for g := range stores {
			if taken[g][i] {
				want++
			}
		}
		n, err := stores[1].Count(t.Context(), ix, store.Exists{Field: f.Name})
		if err != nil || n != want {
			t.Errorf("f%d has values in %d documents, want %d (%v)", i, n, want, err)
		}
		if f.Type == "date" && date {
			day := float64(time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC).UnixMilli())
			if n, err := stores[0].Count(t.Context(), ix, store.Range{Field: f.Name, From: day, To: day}); err != nil || n != 1 {
				t.Errorf("f%d has its date in %d documents (%v)", i, n, err)
			}
		}
	}
}

// TestFieldsYoungerThanDocuments: a field that is mapped later has no value in the
// documents before, whether they are scanned or filtered by Qdrant.
func TestFieldsYoungerThanDocuments(t *testing.T) {
	o := place(t, qdranttest.Start(t).Addr)
	s := open(t, o)
	defer s.Close()
	m := newMutator(s)
	ix, err := m.CreateIndex(t.Context(), metadata.Creation{Name: "i", Definition: metadata.Definition{Mappings: jsonx.MustParse(`{"dynamic":false}`)}})
	if err != nil {
		t.Fatal(err)
	}
	put := func(id string) {
		t.Helper()
		out, err := m.Apply(t.Context(), []mutate.Op{{Index: "i", ID: id, GivenID: true, Source: []byte(`{"later":1}`)}}, store.RefreshNone)
		if err != nil || out[0].Err != nil {
			t.Fatal(err, out[0].Err)
		}
	}
	put("before")
	if err := m.PutMapping(t.Context(), []*metadata.Index{ix}, jsonx.MustParse(`{"properties":{"later":{"type":"long"}}}`)); err != nil {
		t.Fatal(err)
	}
	put("after")
	again := open(t, o) // reads it from the catalog
	defer again.Close()
	for _, s := range []*Store{s, again} {
		state, err := s.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ix := state.Index("i")
		if n, err := s.Count(t.Context(), ix, store.Longs{Field: "later", Values: []int64{1}}); err != nil || n != 1 {
			t.Errorf("%d documents by the filter, want 1 (%v)", n, err)
		}
		snap, err := s.Snapshot(t.Context(), ix, store.HoldForRequest)
		if err != nil {
			t.Fatal(err)
		}
		p := snap.Parts()[0]
		for doc := range uint32(p.Len()) {
			if got := len(p.Long("later").Values(doc)); (got == 1) != (p.ID(doc) == "after") {
				t.Errorf("%s has %d values", p.ID(doc), got)
			}
		}
		snap.Release()
	}
}

// TestSweeping: what gateways left that died is removed, what is named is not, and other
// collections are nobody's business.
func TestSweeping(t *testing.T) {
	server := qdranttest.Start(t)
	o := place(t, server.Addr)
	s := open(t, o)
	defer s.Close()
	ix := storetest.Index(t, s, "i")
	foreign := o.Prefix + "x-index-foreign"
	if err := s.makeCollection(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	defer s.dropCollection(context.Background(), foreign)
	nameless := *ix
	nameless.UUID = "nobody"
	if err := s.CreateIndex(t.Context(), &nameless); err != nil {
		t.Fatal(err)
	}
	if err := s.sweepOrphans(t.Context(), time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := s.Refresh(t.Context(), &nameless); err != nil {
		t.Errorf("an index that is just being made: %v", err)
	}
	if err := s.sweepOrphans(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := s.Refresh(t.Context(), &nameless); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("an index without a name: %v", err)
	}
	if there, err := s.exists(t.Context(), foreign); err != nil || !there {
		t.Errorf("a collection of somebody else is gone (%v)", err)
	}
	if _, err := s.Write(t.Context(), ix, []store.Mutation{storetest.Put(t, ix, "a", `{}`), storetest.Remove("a"), storetest.Put(t, ix, "b", `{}`)}, store.RefreshNone); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before  time.Time
		deleted int64
		more    bool
	}{{time.Now().Add(-time.Hour), 1, true}, {time.Now().Add(time.Hour), 0, false}} {
		more, err := s.sweepTombstones(t.Context(), ix.UUID, c.before)
		if err != nil || more != c.more {
			t.Errorf("more tombstones: %v, %v", more, err)
		}
		if st, err := s.Stats(t.Context(), ix); err != nil || st.Deleted != c.deleted || st.Docs != 1 {
			t.Errorf("%+v, %v", st, err)
		}
	}
}

func TestJudge(t *testing.T) {
	long := []string{"m15", "m14", "m13", "m12", "m11", "m10", "m9", "m8", "m7", "m6", "m5", "m4", "m3", "m2", "m1", "m0"}
	for _, c := range []struct {
		what        string
		chain       []string
		mine, prior string
		want        outcome
	}{
		{"the newest", []string{"a", "p"}, "a", "p", won},
		{"others came after it", []string{"c", "b", "a", "p"}, "a", "p", won},
		{"another was faster", []string{"b", "p"}, "a", "p", lost},
		{"nothing has happened yet", []string{"p"}, "a", "p", undecided},
		{"nothing has been inserted yet", nil, "a", "", undecided},
		{"another has inserted", []string{"c", "b"}, "a", "", lost},
		{"removed", nil, "a", "p", lost},
		{"the chain is too short to tell", long, "a", "p", undecided},
		{"the chain is too short to tell of an insertion", long, "a", "", undecided},
		{"a long chain with what was there", append([]string{"b", "p"}, long[:14]...), "a", "p", lost},
	} {
		if got := judge(c.chain, c.mine, c.prior); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}
