package query

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

// far draws numbers that float64 does and does not tell from their neighbours.
func far(rnd *rand.Rand) int64 {
	base := []int64{0, 1 << 53, -1 << 53, 1 << 62, math.MaxInt64, math.MinInt64, 1_700_000_000_000_000_000}[rnd.IntN(7)]
	return base + int64(rnd.IntN(9)) - 4 // wraps around at the ends
}

// farWorld is documents with numbers near the ends of what float64 and int64 can hold.
func farWorld(rnd *rand.Rand) *world {
	w := &world{rnd: rnd}
	tail := segment.NewTail()
	for i := range 200 {
		d := &plainDoc{id: strconv.Itoa(i), seq: int64(i), live: true}
		for range rnd.IntN(3) {
			d.n = append(d.n, far(rnd))
			d.d = append(d.d, []float64{0, math.Copysign(0, -1), 5, -5, math.MaxFloat64, 5e-324, 1 << 53}[rnd.IntN(7)])
		}
		w.docs = append(w.docs, d)
		tail.Append(d.document())
	}
	w.parts = []segment.Part{{Segment: tail.Seal()}}
	return w
}

func (w *world) drawFar() (kind string, n Node) {
	lo, hi := far(w.rnd), far(w.rnd)
	if lo > hi {
		lo, hi = hi, lo
	}
	switch w.rnd.IntN(6) {
	case 0:
		return "far longs", newLongs("n", lo, hi, far(w.rnd))
	case 1:
		return "far negation", newBoolean(nil, nil, nil, []Node{&longRange{"n", lo, hi}}, 0)
	case 2:
		values := []float64{0, math.Copysign(0, -1), 5, 5e-324}
		return "far doubles", newDoubles("d", values[w.rnd.IntN(4)], values[w.rnd.IntN(4)])
	case 3:
		return "far doubles", &doubleRange{"d", math.Inf(-1), []float64{0, math.Copysign(0, -1), 5, 1 << 53}[w.rnd.IntN(4)]}
	case 4:
		return "seq_no", &seqNos{int64(w.rnd.IntN(100)), int64(w.rnd.IntN(200))}
	}
	return "far range", &longRange{"n", lo, hi}
}

// tally counts what was drawn of a kind, and how far it was pushed.
type tally struct{ drawn, exact, superset, never, filled int }

func (c *tally) add(e Exactness, found bool) {
	c.drawn++
	*[...]*int{&c.never, &c.superset, &c.exact}[e]++
	if found {
		c.filled++
	}
}

// TestPushedFilters compares what nodes match with what their filters do, on random
// documents: Exact is the same, Superset no less.
func TestPushedFilters(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 2))
	counts := map[string]*tally{}
	check := func(w *world, kind string, n Node) {
		p := Push(n)
		x := NewExec(context.Background(), w.parts)
		found := false
		for _, part := range w.parts {
			want, err := Match(x, n, segment.Part{Segment: part.Segment})
			if err != nil {
				t.Fatal(err)
			}
			found = found || !want.IsEmpty()
			for _, m := range []storetest.Matching{{}, {WholeBounds: true}} {
				got := m.Of(p.Filter, part.Segment)
				if lost := roaring.AndNot(want, got); !lost.IsEmpty() {
					t.Fatalf("seed %d: %s, pushed as %s %#v, misses %v", seed, n.AppendKey(nil), p.Exactness, p.Filter, lost)
				}
				if more := roaring.AndNot(got, want); p.Exactness == Exact && !more.IsEmpty() {
					t.Fatalf("seed %d: %s, pushed as exactly %#v, adds %v", seed, n.AppendKey(nil), p.Filter, more)
				}
			}
		}
		if (p.Why == "") != (p.Exactness == Exact) {
			t.Fatalf("%s: %s because %q", n.AppendKey(nil), p.Exactness, p.Why)
		}
		if counts[kind] == nil {
			counts[kind] = &tally{}
		}
		counts[kind].add(p.Exactness, found)
	}
	for range 8 {
		w := newWorld(rnd, 60+rnd.IntN(60))
		for i := range 300 {
			q := w.draw(3, false)
			if i%2 == 0 {
				q = w.leaf(false)
			}
			check(w, q.kind, q.node)
		}
		w = farWorld(rnd)
		for range 300 {
			kind, n := w.drawFar()
			check(w, kind, n)
		}
	}
	tell(t, counts)
}

// tell shows what was drawn, and fails for kinds that show nothing.
func tell(t *testing.T, counts map[string]*tally) {
	t.Helper()
	kinds := make([]string, 0, len(counts))
	for kind := range counts {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		c := counts[kind]
		t.Logf("%-15s drawn %4d: exact %4d, superset %4d, never %4d; found something %4d", kind, c.drawn, c.exact, c.superset, c.never, c.filled)
		if c.drawn < 10 || c.filled < 5 {
			t.Errorf("%s was drawn %d times and found something %d times", kind, c.drawn, c.filled)
		}
	}
	want := map[string][3]bool{ // never, superset, exact are seen
		"all": {false, false, true}, "keyword term": {false, false, true}, "text term": {false, false, true}, "terms": {false, false, true},
		"term range": {true, false, false}, "prefix": {true, false, false}, "wildcard": {true, false, false}, "phrase": {false, true, false},
		"long range": {false, false, true}, "longs": {false, false, true}, "double range": {false, true, true}, "flag": {false, false, true},
		"exists": {false, false, true}, "ids": {false, false, true}, "bool": {true, true, true}, "dis_max": {true, true, true},
		"nested": {false, true, true}, "far range": {false, true, true}, "far negation": {true, false, true}, "far longs": {false, false, true},
		"far doubles": {false, true, true}, "seq_no": {false, false, true}, "constant_score": {true, true, true}, "boost": {true, true, true},
	}
	for kind, is := range want {
		c := counts[kind]
		if c == nil {
			t.Errorf("%s was not drawn", kind)
			continue
		}
		if got := [3]bool{c.never > 0, c.superset > 0, c.exact > 0}; got != is {
			t.Errorf("%s: never, superset, exact are %v, want %v", kind, got, is)
		}
	}
}

// unknown is a node of a kind that has not been taught to be pushed.
type unknown struct{ matchAll }

//lint:ignore U1000 it hides matchAll's, so that unknown is no node that pushes
func (unknown) push() {}

func TestAnUnknownNodeIsNeverPushed(t *testing.T) {
	n := newBoolean([]Node{unknown{}, &term{column: column{field: "k"}, value: "x"}}, nil, nil, nil, 0)
	if p := Push(n); p.Exactness != Superset || p.Filter.(store.Terms).Field != "k" {
		t.Errorf("%+v", p)
	}
	var r Reading
	if r.Node(n); !r.Any {
		t.Error("its columns are taken for known")
	}
	if p := Push(newBoolean(nil, nil, []Node{unknown{}, n}, nil, 1)); p.Exactness != Never {
		t.Errorf("%+v", p)
	}
}

func TestTheEmptyTermOfATextIsNotAsked(t *testing.T) {
	p := Push(newTerms(column{field: "t", text: true, bm25: mapping.DefaultBM25()}, []string{"", "x"}))
	if got := p.Filter.(store.Terms).Terms; !slices.Equal(got, []string{"x"}) {
		t.Errorf("%q", got)
	}
}
