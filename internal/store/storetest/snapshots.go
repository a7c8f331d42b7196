package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"postern/internal/jsonx"
	"postern/internal/store"
)

func testSnapshots(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i", "index.refresh_interval", "-1")
	const n = 300
	var first []store.Mutation
	for i := range n {
		first = append(first, Put(t, ix, fmt.Sprint(i), fmt.Sprintf(`{"n":%d,"k":"old"}`, i)))
	}
	write(t, s, ix, store.RefreshNow, first...)
	old, err := s.Snapshot(context.Background(), ix, store.HoldForContext)
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

func testDrop(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i")
	write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{"n":1}`))
	snap, err := s.Snapshot(context.Background(), ix, store.HoldForContext)
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
	snap.Release()
	if err := s.DropIndex(context.Background(), ix.UUID); err != nil {
		t.Errorf("dropping again: %v", err)
	}
}

func testSnapshotID(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i", "index.refresh_interval", "-1")
	id := func() string {
		snap, err := s.Snapshot(context.Background(), ix, store.HoldForContext)
		if err != nil {
			t.Fatal(err)
		}
		defer snap.Release()
		return snap.ID()
	}
	seen := map[string]bool{id(): true}
	for i := range 5 {
		write(t, s, ix, store.RefreshNow, Put(t, ix, fmt.Sprint(i%2), `{}`))
		now := id()
		if seen[now] {
			t.Errorf("%s again after a write", now)
		}
		seen[now] = true
		if err := s.Flush(context.Background(), ix); err != nil {
			t.Fatal(err)
		}
		if got := id(); got != now {
			t.Errorf("%s became %s without a write", now, got)
		}
	}
}

// testColumns: the columns say what the sources say, through overwriting, persisting and
// merging.
func testColumns(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i", "index.refresh_interval", "-1")
	for round := range 40 {
		var m []store.Mutation
		for i := range 7 {
			m = append(m, Put(t, ix, fmt.Sprint((round*5+i)%60), document(round*7+i)))
		}
		write(t, s, ix, store.RefreshNow, m...)
		snap, err := s.Snapshot(context.Background(), ix, store.HoldForContext)
		if err != nil {
			t.Fatal(err)
		}
		checkColumns(t, snap)
		snap.Release()
	}
}

// document is a source whose fields all follow from n.
func document(n int) string {
	return fmt.Sprintf(`{"n":%d,"k":"k%d","t":"w%d w%d"}`, n, n%11, n%7, n%3)
}

// checkColumns holds the columns of a snapshot against its sources.
func checkColumns(t testing.TB, snap store.Snapshot) {
	t.Helper()
	for _, p := range snap.Parts() {
		for doc := range uint32(p.Len()) {
			if p.Live != nil && !p.Live.Contains(doc) {
				continue
			}
			stored, err := snap.Sources(context.Background(), []int64{p.SeqNo(doc)})
			if err != nil {
				t.Fatal(err)
			}
			n, _ := jsonx.MustParse(string(stored[0].Source)).Get("n").Int64()
			if got := document(int(n)); got != string(stored[0].Source) {
				t.Fatalf("_seq_no %d holds %s, want %s", p.SeqNo(doc), stored[0].Source, got)
			}
			if got := p.Long("n").Values(doc); len(got) != 1 || got[0] != n {
				t.Fatalf("_seq_no %d: n is %d in the columns, %d in the source", p.SeqNo(doc), got, n)
			}
			k := p.Keyword("k")
			if got := k.Ords(doc); len(got) != 1 || k.Term(got[0]) != fmt.Sprintf("k%d", n%11) {
				t.Fatalf("_seq_no %d: k is wrong in the columns", p.SeqNo(doc))
			}
			words := p.Text("t")
			for _, w := range []string{fmt.Sprintf("w%d", n%7), fmt.Sprintf("w%d", n%3)} {
				at, ok := words.Lookup(w)
				if !ok || !slices.Contains(words.Postings(at).Docs, doc) {
					t.Fatalf("_seq_no %d: t lacks %s in the columns", p.SeqNo(doc), w)
				}
			}
		}
		if err := p.Err(); err != nil {
			t.Fatal(err)
		}
	}
}
