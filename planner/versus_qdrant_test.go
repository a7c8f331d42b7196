package planner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"postern/conformance/engines/qdranttest"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/segment"
	"postern/internal/store"
	"postern/internal/store/qdrant"
	"postern/internal/store/storetest"
)

// TestQdrantAnswersAreTheSame asks drawn searches of Qdrant, in all ways, beside an
// evaluation of the same documents in memory. The seed of a failure is printed.
func TestQdrantAnswersAreTheSame(t *testing.T) {
	server := qdranttest.Start(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := &drawing{rand.New(rand.NewPCG(seed, 4)), map[string]int{}}
	s, err := qdrant.Open(t.Context(), qdrant.Options{
		Address: server.Addr, Prefix: "versus-" + strconv.FormatUint(seed, 36), SpillDir: t.TempDir(),
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Parse: mutate.ParseStored,
		NewState: func() *metadata.State { return metadata.NewState("cluster") },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	versus(t, r, 2, 40, func() (store.Documents, *metadata.Index, []setup) {
		m, ix := qdrantIndex(t, r, s, 1+r.IntN(3))
		return m, ix, qdrantSetups(s)
	})
}

// qdrantIndex makes an index of drawn documents in Qdrant, some of them written twice and
// some deleted since, and holds what is left in memory, too.
func qdrantIndex(t *testing.T, r *drawing, s *qdrant.Store, most int) (*memory, *metadata.Index) {
	t.Helper()
	ctx := context.Background()
	var ix *metadata.Index
	name := fmt.Sprintf("drawn-%d", r.Uint32())
	if _, err := s.Update(ctx, func(state *metadata.State) (*metadata.State, error) {
		next, made, err := state.CreateIndex(metadata.Creation{Name: name, UUID: "uuid-" + name, At: time.UnixMilli(1),
			Definition: metadata.Definition{Mappings: jsonx.MustParse(drawnMapping)}})
		ix = made
		return next, err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.CreateIndex(ctx, ix); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.DropIndex(ctx, ix.UUID) })
	var writes []store.Mutation
	var sources []string
	for i := range 120 {
		id := strconv.Itoa(i % 110)
		source := r.document(most)
		if i > 10 && r.IntN(12) == 0 {
			writes, sources = append(writes, storetest.Remove(strconv.Itoa(i-r.IntN(10)))), append(sources, "")
		}
		writes, sources = append(writes, storetest.Put(t, ix, id, source)), append(sources, source)
	}
	results, err := s.Write(ctx, ix, writes, store.RefreshNow)
	if err != nil {
		t.Fatal(err)
	}
	m := remembered(t, ix, writes, sources, results)
	awaitIndexes(t, s, ix)
	return m, ix
}

// remembered is what is left of writes, as a store in memory.
func remembered(t *testing.T, ix *metadata.Index, writes []store.Mutation, sources []string, results []store.Result) *memory {
	t.Helper()
	last := map[string]int{}
	for i := range writes {
		last[writes[i].ID] = i
	}
	m := &memory{}
	tail := segment.NewTail()
	for i, result := range results {
		if result.Err != nil {
			t.Fatal(result.Err)
		}
		for int64(len(m.sources)) <= result.SeqNo {
			m.sources = append(m.sources, nil)
		}
		m.sources[result.SeqNo] = []byte(sources[i])
		if last[writes[i].ID] != i || sources[i] == "" {
			continue
		}
		doc := &mapping.Document{}
		if err := parseDocument(ix.Mapping, doc, writes[i].ID, "", jsonx.MustParse(sources[i])); err != nil {
			t.Fatal(err)
		}
		doc.SeqNo, doc.Version = result.SeqNo, result.Version
		m.term = result.PrimaryTerm
		tail.Append(doc)
	}
	m.parts = []segment.Part{{Segment: tail.Seal()}}
	return m
}

// awaitIndexes waits for the payload indexes that are made when they are first asked for.
func awaitIndexes(t *testing.T, s *qdrant.Store, ix *metadata.Index) {
	t.Helper()
	ask := func(call func() error) {
		for range 300 {
			err := call()
			if err == nil {
				return
			}
			if !errors.Is(err, store.ErrNotPushed) {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatal("a payload index is not made")
	}
	for _, f := range []string{"n", "i", "d", "dn", "f", "g", "b"} {
		ask(func() error {
			_, err := s.Page(t.Context(), ix, store.All{}, store.Order{Field: f}, 1, store.Columns{All: true})
			return err
		})
	}
	for _, f := range []string{"k", "w", "ip", "b", "i", "n", "d"} {
		ask(func() error { _, err := s.Facet(t.Context(), ix, store.All{}, f, 1); return err })
	}
}

// qdrantSetups are the ways in which Qdrant is asked.
func qdrantSetups(s *qdrant.Store) []setup {
	with := func(name string, rules RuleSet) setup {
		q := &listed{Store: s}
		return setup{name, &Planner{Documents: q, Node: "n", Now: time.Now, Rules: rules}, q.since}
	}
	list := []setup{with("push", RuleSet{}), with("scan", RuleSet{}.Without(PushPage, PushCounts, PushFacets)), with("all", RuleSet{}.Without(pushRules()...))}
	for _, rule := range []Rule{PushTies, PushUncovered, PushFacets, PointRead} {
		list = append(list, with("without "+rule.String(), RuleSet{}.Without(rule)))
	}
	return list
}

// listed is Qdrant with the calls listed, and with more documents than there are, so
// that asking it costs least.
type listed struct {
	*qdrant.Store
	mu    sync.Mutex
	calls []string
}

func (q *listed) note(call string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.calls = append(q.calls, call)
}

// since gives the calls since the last time.
func (q *listed) since() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	calls := q.calls
	q.calls = nil
	slices.Sort(calls)
	return calls
}

func (q *listed) Weigh(*metadata.Index) store.Weight { return store.Weight{Documents: 1e6} }

func (q *listed) Snapshot(ctx context.Context, ix *metadata.Index, hold store.Hold) (store.Snapshot, error) {
	q.note("snapshot")
	return q.Store.Snapshot(ctx, ix, hold)
}

func (q *listed) Page(ctx context.Context, ix *metadata.Index, f store.Filter, order store.Order, limit int, want store.Columns) (store.Page, error) {
	q.note("page " + describePage(f, order, limit))
	return q.Store.Page(ctx, ix, f, order, limit, want)
}

func (q *listed) Scan(ctx context.Context, ix *metadata.Index, f store.Filter, want store.Columns) (store.Snapshot, error) {
	q.note("scan " + f.String())
	return q.Store.Scan(ctx, ix, f, want)
}

func (q *listed) Count(ctx context.Context, ix *metadata.Index, f store.Filter) (int64, error) {
	q.note("count " + f.String())
	return q.Store.Count(ctx, ix, f)
}

func (q *listed) Facet(ctx context.Context, ix *metadata.Index, f store.Filter, field string, limit int) ([]store.FacetValue, error) {
	q.note("facet of " + field + " in " + f.String())
	return q.Store.Facet(ctx, ix, f, field, limit)
}
