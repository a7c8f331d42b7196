package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"postern/internal/metadata"
	"postern/internal/store"
)

// testRandom makes random calls on a store and on a model of it. Each run has a new seed,
// which it prints; POSTERN_SEED repeats one.
func testRandom(t *testing.T, open Opener) {
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("POSTERN_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("POSTERN_SEED=%d", seed)
	steps := 400
	switch {
	case os.Getenv("POSTERN_SOAK") != "":
		steps = 40_000
	case testing.Short():
		steps = 150
	}
	m := &model{TB: t, rng: rand.New(rand.NewPCG(seed, 0)), open: open, docs: map[string]modelDoc{}}
	m.store = open(t)
	m.ix = Index(t, m.store, "i", "index.refresh_interval", "-1", "index.gc_deletes", "1h")
	m.seen = []string{m.render()}
	for m.step = range steps {
		m.act()
		if t.Failed() {
			t.Fatalf("step %d of POSTERN_SEED=%d", m.step, seed)
		}
	}
	for _, h := range m.held {
		h.snap.Release()
	}
	closeStore(t, m.store)
}

// model is what a store should do.
type model struct {
	testing.TB
	rng   *rand.Rand
	open  Opener
	store Store
	ix    *metadata.Index
	step  int

	docs map[string]modelDoc
	next int64 // _seq_no
	term int64
	// seen are what searches may see: the state at the last refresh and all after it, since
	// a store may refresh more often than it is told to.
	seen []string
	held []held
}

type modelDoc struct {
	version, seq, term int64
	source             string // "" for a tombstone
}

type held struct {
	snap store.Snapshot
	saw  string
}

// render is all documents, in the order of _seq_no.
func (m *model) render() string {
	ids := make([]string, 0, len(m.docs))
	for id, d := range m.docs {
		if d.source != "" {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return int(m.docs[a].seq - m.docs[b].seq) })
	lines := make([]string, len(ids))
	for i, id := range ids {
		lines[i] = fmt.Sprintf("%s v%d %s", id, m.docs[id].version, m.docs[id].source)
	}
	return strings.Join(lines, "\n")
}

func (m *model) id() string { return fmt.Sprint("id", m.rng.IntN(40)) }

func (m *model) act() {
	ctx := context.Background()
	switch n := m.rng.IntN(100); {
	case n < 45:
		m.write()
	case n < 60:
		id := m.id()
		got := get(m, m.store, m.ix, id, true)
		d := m.docs[id]
		want := store.Stored{ID: id}
		if d.source != "" {
			want = store.Stored{Found: true, ID: id, Source: []byte(d.source), Version: d.version, SeqNo: d.seq, PrimaryTerm: d.term + 1}
		}
		check(m, "realtime get", want, got)
	case n < 72:
		m.search()
	case n < 82:
		if err := m.store.Refresh(ctx, m.ix); err != nil {
			m.Fatal(err)
		}
		m.seen = []string{m.render()}
	case n < 86:
		if err := m.store.Flush(ctx, m.ix); err != nil {
			m.Fatal(err)
		}
	case n < 91:
		if len(m.held) < 5 {
			m.held = append(m.held, m.snapshot())
		}
	case n < 95:
		if len(m.held) > 0 {
			i := m.rng.IntN(len(m.held))
			m.look(m.held[i])
			m.held[i].snap.Release()
			m.held = slices.Delete(m.held, i, i+1)
		}
	case n < 97:
		time.Sleep(time.Duration(m.rng.IntN(5)) * time.Millisecond) // for what happens in the background
	default:
		m.restart()
	}
}

func (m *model) write() {
	var mutations []store.Mutation
	var want []store.Result
	next := m.next
	for range 1 + m.rng.IntN(1+m.rng.IntN(12)) {
		id := m.id()
		d := m.docs[id]
		found := d.source != ""
		switch n := m.rng.IntN(10); {
		case n == 0:
			mutations = append(mutations, store.Mutation{ID: id, Apply: func(store.Prior) (store.Next, error) { return store.Next{}, nil }})
			r := store.Result{Found: found, Version: d.version, SeqNo: d.seq}
			if d.version > 0 {
				r.PrimaryTerm = d.term + 1
			}
			want = append(want, r)
			continue
		case n < 3:
			mutations = append(mutations, Remove(id))
			want = append(want, store.Result{Action: store.Delete, Found: found, Version: d.version + 1, SeqNo: next, PrimaryTerm: m.term + 1})
			d.source = ""
		default:
			d.source = document(m.rng.IntN(1000))
			mutations = append(mutations, Put(m, m.ix, id, d.source))
			want = append(want, store.Result{Action: store.Put, Found: found, Version: d.version + 1, SeqNo: next, PrimaryTerm: m.term + 1})
		}
		d.version, d.seq, d.term = d.version+1, next, m.term
		next++
		m.docs[id] = d
	}
	refresh := store.RefreshNone
	if m.rng.IntN(5) == 0 {
		refresh = store.RefreshNow
	}
	got := write(m, m.store, m.ix, refresh, mutations...)
	for i := range got {
		got[i].Source = nil
	}
	check(m, "results", want, got)
	if next > m.next {
		m.next = next
		if refresh == store.RefreshNow {
			m.seen = nil
		}
		m.seen = append(m.seen, m.render())
	}
}

func (m *model) snapshot() held {
	snap, err := m.store.Snapshot(context.Background(), m.ix, store.HoldForContext)
	if err != nil {
		m.Fatal(err)
	}
	h := held{snap, strings.Join(Read(m, snap), "\n")}
	if !slices.Contains(m.seen, h.saw) {
		m.Fatalf("a search sees\n%s\nwhich is none of\n%s", h.saw, strings.Join(m.seen, "\n--\n"))
	}
	return h
}

func (m *model) look(h held) {
	check(m, "a held snapshot", h.saw, strings.Join(Read(m, h.snap), "\n"))
	checkColumns(m, h.snap)
}

func (m *model) search() {
	h := m.snapshot()
	defer h.snap.Release()
	checkColumns(m, h.snap)
	for id := range m.docs {
		doc := get(m, m.store, m.ix, id, false)
		if line := fmt.Sprintf("%s v%d %s", id, doc.Version, doc.Source); doc.Found != slices.Contains(strings.Split(h.saw, "\n"), line) {
			m.Errorf("a search and a get that is not in realtime differ on %s", line)
		}
	}
}

func (m *model) restart() {
	for _, h := range m.held {
		m.look(h)
		h.snap.Release()
	}
	m.held = nil
	closeStore(m, m.store)
	m.store = m.open(m)
	m.term++
	m.seen = []string{m.render()}
	m.search()
}
