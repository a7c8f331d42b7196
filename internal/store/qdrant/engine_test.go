package qdrant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"postern/conformance/engines/qdranttest"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

// TestEngine holds what Qdrant answers to random filters against an evaluation of the same
// filters on the parsed documents.
func TestEngine(t *testing.T) {
	s := open(t, place(t, qdranttest.Start(t).Addr))
	defer s.Close()
	e := &engineTest{T: t, s: s, seed: uint64(time.Now().UnixNano()), answered: map[string][2]int{}}
	t.Logf("seed %d", e.seed)
	e.rng = rand.New(rand.NewPCG(e.seed, 0))
	e.fill()
	for _, name := range []string{"n", "d", "_seq_no"} {
		e.await(func() error {
			_, err := s.Page(t.Context(), e.ix, store.All{}, store.Order{Field: name}, 5, store.Columns{All: true})
			return err
		})
	}
	for _, name := range []string{"k", "n", "ip"} {
		e.await(func() error { _, err := s.Facet(t.Context(), e.ix, store.All{}, name, 5); return err })
	}
	for range 400 {
		e.count()
	}
	for range 40 {
		e.scan()
		e.facet([]string{"k", "n", "ip"}[e.rng.IntN(3)])
		e.page([]string{"n", "d", "_seq_no"}[e.rng.IntN(3)])
	}
	for kind, n := range e.answered {
		if n[0] == 0 || n[1] == 0 {
			t.Errorf("filters of kind %s: %d with and %d without a match", kind, n[0], n[1])
		}
	}
}

// TestDeepFilters: a filter that no message can carry is not pushed, and the deepest that is
// taken is answered.
func TestDeepFilters(t *testing.T) {
	s := open(t, place(t, qdranttest.Start(t).Addr))
	defer s.Close()
	ix := storetest.Index(t, s, "i")
	if _, err := s.Write(t.Context(), ix, []store.Mutation{storetest.Put(t, ix, "a", `{"k":"x"}`)}, store.RefreshNone); err != nil {
		t.Fatal(err)
	}
	one := store.Terms{Field: "k", Terms: []string{"x", "y"}}
	deep := func(levels int) store.Filter {
		var f store.Filter = one
		for i := 1; i < levels; i++ {
			if i%2 == 0 {
				f = store.And{one, f}
			} else {
				f = store.Not{Filter: f}
			}
		}
		return f
	}
	for levels, want := range map[int]int64{maxDepth - 1: 1, maxDepth: 0} { // the last is a negation
		if n, err := s.Count(t.Context(), ix, deep(levels)); err != nil || n != want {
			t.Errorf("%d levels: %d documents, want %d (%v)", levels, n, want, err)
		}
	}
	if _, err := s.Count(t.Context(), ix, deep(maxDepth+1)); !errors.Is(err, store.ErrNotPushed) {
		t.Errorf("a filter of too many levels: %v", err)
	}
}

// TestGathered: a scan of one call is of one moment, a longer one perhaps not.
func TestGathered(t *testing.T) {
	s := open(t, place(t, qdranttest.Start(t).Addr))
	defer s.Close()
	ix := storetest.Index(t, s, "i")
	for _, c := range []struct {
		to       int
		gathered bool
	}{{firstPage - 1, false}, {firstPage + 50, true}} {
		var m []store.Mutation
		for i := range c.to {
			m = append(m, storetest.Put(t, ix, fmt.Sprint(i), `{}`))
		}
		if _, err := s.Write(t.Context(), ix, m, store.RefreshNone); err != nil {
			t.Fatal(err)
		}
		snap, err := s.Snapshot(t.Context(), ix, store.HoldForRequest)
		if err != nil {
			t.Fatal(err)
		}
		if got := store.IsGathered(snap); got != c.gathered {
			t.Errorf("%d documents: gathered is %v", c.to, got)
		}
		snap.Release()
	}
}

type engineTest struct {
	*testing.T
	s    *Store
	ix   *metadata.Index
	rng  *rand.Rand
	seed uint64
	docs []*mapping.Document
	// answered counts, by kind of filter, those that matched and those that did not.
	answered map[string][2]int
}

func (e *engineTest) await(call func() error) {
	e.Helper()
	for range 200 {
		err := call()
		if err == nil {
			return
		}
		if !errors.Is(err, store.ErrNotPushed) {
			e.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	e.Fatal("a payload index is not made")
}

const engineMapping = `{"properties":{
	"k":{"type":"keyword","fields":{"t_x":{"type":"text"}}},"n":{"type":"long"},"d":{"type":"double"},"when":{"type":"date"},"b":{"type":"boolean"},
	"ip":{"type":"ip"},"a b.c_d":{"type":"keyword"},"o":{"type":"nested","properties":{"k":{"type":"keyword"},"n":{"type":"integer"},
		"in":{"type":"nested","properties":{"k":{"type":"keyword"}}}}}}}`

func (e *engineTest) fill() {
	_, err := e.s.Update(context.Background(), func(state *metadata.State) (*metadata.State, error) {
		next, ix, err := state.CreateIndex(metadata.Creation{Name: "i", UUID: "uuid-engine", At: time.UnixMilli(1),
			Definition: metadata.Definition{Mappings: jsonx.MustParse(engineMapping)}})
		e.ix = ix
		return next, err
	})
	if err != nil {
		e.Fatal(err)
	}
	if err := e.s.CreateIndex(context.Background(), e.ix); err != nil {
		e.Fatal(err)
	}
	var all []store.Mutation
	for i := range 150 {
		id, source := fmt.Sprint("d", i), e.source()
		doc := &mapping.Document{}
		update, err := e.ix.Mapping.ParseDocument(doc, id, "", jsonx.MustParse(source))
		if err != nil || update.Exists() {
			e.Fatalf("%s: %v", source, err)
		}
		doc.ID = id
		all = append(all, storetest.Put(e, e.ix, id, source))
		if i%10 == 9 {
			all = append(all, storetest.Remove(id))
			continue
		}
		e.docs = append(e.docs, doc)
	}
	results, err := e.s.Write(context.Background(), e.ix, all, store.RefreshNone)
	if err != nil {
		e.Fatal(err)
	}
	next := 0
	for i, r := range results {
		if r.Action == store.Put && (i+1 == len(results) || results[i+1].Action == store.Put) {
			e.docs[next].SeqNo = r.SeqNo
			next++
		}
	}
}

// values draws none, one or several of some JSON values.
func (e *engineTest) values(pool ...string) string {
	n := e.rng.IntN(4)
	if n < 2 {
		return pool[e.rng.IntN(len(pool))]
	}
	all := make([]string, n-1)
	for i := range all {
		all[i] = pool[e.rng.IntN(len(pool))]
	}
	return "[" + strings.Join(all, ",") + "]"
}

func (e *engineTest) source() string {
	var members []string
	add := func(name string, pool ...string) {
		if e.rng.IntN(4) > 0 {
			members = append(members, fmt.Sprintf("%q:%s", name, e.values(pool...)))
		}
	}
	add("k", `"a"`, `"b"`, `"Zwei Worte"`, `""`, `"\ud800"`, `"\u0000x"`, `"é"`)
	add("n", "0", "1", "-1", "2", "9007199254740993", "9007199254740992", "9223372036854775807", "-9223372036854775808")
	add("d", "0.0", "-0.0", "1.5", "-1.5", "5.0", "1e300", "9007199254740993")
	add("when", `"2020-01-01"`, `"1969-12-31T23:59:59.999Z"`)
	add("b", "true", "false")
	add("ip", `"10.0.0.1"`, `"::1"`, `"10.0.0.2"`)
	add("a b.c_d", `"x"`, `"y"`)
	objects := make([]string, e.rng.IntN(3))
	for i := range objects {
		var inner []string
		for range e.rng.IntN(3) {
			inner = append(inner, fmt.Sprintf(`{"k":%s}`, e.values(`"p"`, `"q"`)))
		}
		objects[i] = fmt.Sprintf(`{"k":%s,"n":%s,"in":[%s]}`, e.values(`"a"`, `"b"`), e.values("1", "2"), strings.Join(inner, ","))
	}
	members = append(members, `"o":[`+strings.Join(objects, ",")+"]")
	return "{" + strings.Join(members, ",") + "}"
}

// filter draws a filter on the document, or on the objects of a nested path.
func (e *engineTest) filter(depth int, path string) store.Filter {
	pick := func(all ...string) string { return all[e.rng.IntN(len(all))] }
	kind := e.rng.IntN(13)
	if depth == 0 {
		kind = 4 + e.rng.IntN(8)
	}
	keyword, long := "k", "n"
	switch path {
	case "o":
		keyword, long = "o.k", "o.n"
	case "o.in":
		keyword, long = "o.in.k", ""
	}
	switch {
	case kind == 0:
		return store.And{e.filter(depth-1, path), e.filter(depth-1, path)}
	case kind == 1:
		return store.Or{e.filter(depth-1, path), e.filter(depth-1, path)}
	case kind == 2:
		return store.Not{Filter: e.filter(depth-1, path)}
	case kind == 3 && path != "o.in":
		inner := "o.in"
		if path == "" {
			inner = pick("o", "o.in")
		}
		return store.Nested{Path: inner, Filter: e.filter(depth-1, inner)}
	case kind == 4:
		return store.All{}
	case kind < 7:
		if path == "" && e.rng.IntN(2) == 0 {
			switch e.rng.IntN(3) {
			case 0:
				return store.Terms{Field: "ip", Terms: []string{string(make([]byte, 15)) + "\x01"}}
			case 1:
				return store.Terms{Field: "a b.c_d", Terms: []string{pick("x", "y", "z")}}
			}
			return store.Terms{Field: "k.t_x", Terms: []string{pick("zwei", "a", "é")}}
		}
		return store.Terms{Field: keyword, Terms: []string{pick("a", "b", "p", "q", "", "é"), pick("\xed\xa0\x80", "\x00x", "zz")}}
	case kind == 7 && long != "":
		return store.Longs{Field: long, Values: []int64{int64(e.rng.IntN(4)), 9007199254740993, math.MaxInt64}}
	case kind == 8 && long != "":
		return store.Range{Field: long, From: float64(e.rng.IntN(3)), To: math.Inf(1)}
	case kind == 9 && path == "":
		return store.Range{Field: "d", From: math.Inf(-1), To: []float64{0, 1.5, -2}[e.rng.IntN(3)]}
	case kind == 10 && path == "":
		return store.Exists{Field: pick("k", "n", "d", "ip", "k.t_x", "a b.c_d", "when")}
	case kind == 11 && path == "":
		return store.IDs{IDs: []string{fmt.Sprint("d", e.rng.IntN(200)), "d9"}}
	}
	return store.Exists{Field: keyword}
}

// matches evaluates a filter on values, those of a document or of a nested object.
func matches(f store.Filter, doc *mapping.Document, child int) bool {
	values := doc.Values
	if child >= 0 {
		values = doc.Children[child].Values
	}
	any := func(name string, test func(v *mapping.Value) bool) bool {
		return slices.ContainsFunc(values, func(v mapping.Value) bool { return v.Field.Name == name && test(&v) })
	}
	all := func(list []store.Filter, want bool) bool {
		for _, f := range list {
			if matches(f, doc, child) != want {
				return false
			}
		}
		return true
	}
	switch f := f.(type) {
	case store.All:
		return true
	case store.And:
		return all(f, true)
	case store.Or:
		return !all(f, false)
	case store.Not:
		return !matches(f.Filter, doc, child)
	case store.Exists:
		return any(f.Field, func(*mapping.Value) bool { return true })
	case store.Terms:
		return any(f.Field, func(v *mapping.Value) bool {
			for _, token := range v.Tokens {
				if slices.Contains(f.Terms, token.Term) {
					return true
				}
			}
			return v.Field.Kind != mapping.KindText && slices.Contains(f.Terms, v.S)
		})
	case store.Longs:
		return any(f.Field, func(v *mapping.Value) bool { return slices.Contains(f.Values, v.I) })
	case store.Range:
		return any(f.Field, func(v *mapping.Value) bool {
			n := v.F
			if v.Field.Kind == mapping.KindLong {
				n = float64(v.I)
			}
			return f.From <= n && n <= f.To
		})
	case store.IDs:
		return slices.Contains(f.IDs, doc.ID)
	case store.Nested:
		for i, c := range doc.Children {
			if c.Path == f.Path && liesIn(doc, i, child) && matches(f.Filter, doc, i) {
				return true
			}
		}
	}
	return false
}

// liesIn tells whether a nested object lies in another, or in the document.
func liesIn(doc *mapping.Document, inner, outer int) bool {
	for ; inner >= 0; inner = doc.Children[inner].Parent {
		if inner == outer {
			return true
		}
	}
	return outer < 0
}

// draw gives a filter and the documents that it matches.
func (e *engineTest) draw() (store.Filter, []*mapping.Document) {
	f := e.filter(3, "")
	var want []*mapping.Document
	for _, doc := range e.docs {
		if matches(f, doc, -1) {
			want = append(want, doc)
		}
	}
	kind := fmt.Sprintf("%T", f)
	n := e.answered[kind]
	if len(want) > 0 {
		n[0]++
	}
	if len(want) < len(e.docs) {
		n[1]++
	}
	if kind == "store.All" {
		n[1]++
	}
	e.answered[kind] = n
	return f, want
}

func (e *engineTest) count() {
	f, want := e.draw()
	n, err := e.s.Count(e.Context(), e.ix, f)
	if err != nil || n != int64(len(want)) {
		e.Errorf("count of %#v: %d, want %d (%v)", f, n, len(want), err)
	}
}

func (e *engineTest) scan() {
	f, want := e.draw()
	snap, err := e.s.Scan(e.Context(), e.ix, f, store.Columns{Fields: []string{"n"}})
	if err != nil {
		e.Fatal(err)
	}
	defer snap.Release()
	e.same("scan", f, snap, want)
	for _, p := range snap.Parts() {
		if p.Keyword("k") != nil {
			e.Error("a column that nobody asked for")
		}
	}
}

func (e *engineTest) same(what string, f store.Filter, snap store.Snapshot, want []*mapping.Document) {
	e.Helper()
	var got, expected []string
	for _, p := range snap.Parts() {
		for doc := range uint32(p.Len()) {
			if p.Live == nil || p.Live.Contains(doc) {
				got = append(got, p.ID(doc))
			}
		}
	}
	for _, doc := range want {
		expected = append(expected, doc.ID)
	}
	slices.Sort(got)
	slices.Sort(expected)
	if !slices.Equal(got, expected) {
		e.Errorf("%s of %#v: %v, want %v", what, f, got, expected)
	}
}

func (e *engineTest) facet(name string) {
	f, docs := e.draw()
	want := map[string]int64{}
	for _, doc := range docs {
		seen := map[string]bool{}
		for _, v := range doc.Values {
			if key := fmt.Sprintf("%d %q", v.I, v.S); v.Field.Name == name && !seen[key] {
				seen[key] = true
				want[key]++
			}
		}
	}
	got := map[string]int64{}
	hits, err := e.s.Facet(e.Context(), e.ix, f, name, 100)
	if err != nil {
		e.Fatal(err)
	}
	for _, h := range hits {
		got[fmt.Sprintf("%d %q", h.Long, h.Term)] = h.Count
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		e.Errorf("facet of %s, %#v: %v, want %v", name, f, got, want)
	}
}

// page takes documents that are not uncovered for the order.
func (e *engineTest) page(name string) {
	f, docs := e.draw()
	key := func(doc *mapping.Document) (n float64, single bool) {
		if name == "_seq_no" {
			return float64(doc.SeqNo), true
		}
		for _, v := range doc.Values {
			if v.Field.Name == name {
				if single || v.Field.Kind == mapping.KindDouble && v.F == 0 && math.Signbit(v.F) {
					return 0, false
				}
				n, single = v.F, true
				if v.Field.Kind == mapping.KindLong {
					n = float64(v.I)
				}
			}
		}
		return n, single
	}
	uncovered, err := e.s.Count(e.Context(), e.ix, store.And{f, store.Uncovered{Field: name}})
	if err != nil {
		e.Fatal(err)
	}
	var want []*mapping.Document
	several := int64(0)
	for _, doc := range docs {
		if _, single := key(doc); single {
			want = append(want, doc)
		} else if matches(store.Exists{Field: name}, doc, -1) {
			several++
		}
	}
	if uncovered > several { // values that are equal are one
		e.Errorf("%d documents are uncovered for %s of %#v, want at most %d", uncovered, name, f, several)
	}
	desc := e.rng.IntN(2) == 0
	slices.SortFunc(want, func(a, b *mapping.Document) int {
		x, _ := key(a)
		y, _ := key(b)
		if desc {
			return cmp.Compare(y, x)
		}
		return cmp.Compare(x, y)
	})
	limit := 1 + e.rng.IntN(20)
	page, err := e.s.Page(e.Context(), e.ix, store.And{f, store.Not{Filter: store.Uncovered{Field: name}}}, store.Order{Field: name, Desc: desc}, limit, store.Columns{All: true})
	if err != nil {
		e.Fatal(err)
	}
	defer page.Snapshot.Release()
	calls := e.s.Calls()
	n := 0
	for _, p := range page.Snapshot.Parts() {
		for doc := range uint32(p.Len()) {
			n++
			docs, err := page.Snapshot.Sources(e.Context(), []int64{p.SeqNo(doc)})
			if err != nil || docs[0].ID != p.ID(doc) {
				e.Errorf("source of a page: %+v, %v", docs, err)
			}
		}
	}
	if e.s.Calls() != calls {
		e.Error("the sources of a page took a call")
	}
	if several == 0 && n != min(limit, len(want)) {
		e.Errorf("a page by %s of %#v has %d documents, want %d", name, f, n, min(limit, len(want)))
	}
	if several == 0 && len(want) > 0 && n < len(want) {
		edge, _ := key(want[n])
		for _, p := range page.Snapshot.Parts() {
			for doc := range uint32(p.Len()) {
				at := slices.IndexFunc(want, func(d *mapping.Document) bool { return d.ID == p.ID(doc) })
				if at < 0 {
					e.Errorf("a page has %s", p.ID(doc))
				} else if k, _ := key(want[at]); at >= n && k != edge {
					e.Errorf("a page by %s has %s, which is at %d of %d", name, p.ID(doc), at, n)
				}
			}
		}
	}
}
