package planner

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	memfence "postern/internal/fence/memory"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

// pushRules are the rules that a store's engine is asked by.
func pushRules() []Rule {
	return []Rule{PointRead, PushPage, PushTies, PushUncovered, PushFacets, PushCounts, PushCandidates, UseNear}
}

// drawnIndex is an index of drawn documents, some of them deleted since.
func drawnIndex(t *testing.T, r *drawing, size int) (*memory, *metadata.Index) {
	t.Helper()
	ix := &metadata.Index{Name: "drawn", UUID: fmt.Sprintf("drawn-%d", r.Uint64()), Mapping: mustMapping(t, drawnMapping)}
	m := &memory{}
	most := 1 + r.IntN(3)
	tail := segment.NewTail()
	live := roaring.New()
	seal := func() {
		p := segment.Part{Segment: tail.Seal()}
		if int(live.GetCardinality()) < p.Len() {
			p.Live = live
		}
		m.parts = append(m.parts, p)
		tail, live = segment.NewTail(), roaring.New()
	}
	for i := range size {
		source := r.document(most)
		doc := &mapping.Document{}
		if err := parseDocument(ix.Mapping, doc, strconv.Itoa(i), "", jsonx.MustParse(source)); err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		doc.SeqNo, doc.Version = int64(i), 1
		row := tail.Append(doc)
		if r.IntN(10) > 0 {
			live.Add(uint32(row))
		}
		m.sources = append(m.sources, []byte(source))
		if i == size/3 {
			seal()
		}
	}
	seal()
	return m, ix
}

// setup is a planner beside others, with the name of what it shows.
type setup struct {
	name    string
	planner *Planner
	calls   func() []string // those since the last time
}

// setups are those whose answers must have the same bytes.
func setups(m store.Documents) []setup {
	with := func(name string, rules RuleSet, e *storetest.Engine) setup {
		e.Documents = m
		return setup{name, &Planner{Documents: e, Node: "n", Now: time.Now, Rules: rules}, func() []string {
			calls, _ := e.Calls()
			return calls
		}}
	}
	dear := store.Weight{Documents: 1e6}
	list := []setup{
		with("push", RuleSet{}, &storetest.Engine{Weight: dear}),
		with("whole bounds", RuleSet{}, &storetest.Engine{Weight: dear, Matching: storetest.Matching{WholeBounds: true}}),
		with("near", RuleSet{}, &storetest.Engine{Weight: store.Weight{Documents: 100, Near: true}}),
		with("small", RuleSet{}, &storetest.Engine{Weight: store.Weight{Documents: 100, Keeps: true}}),
		with("refusing", RuleSet{}, &storetest.Engine{Weight: dear, Refuse: func(call string, _ store.Filter) bool { return call == "facet" || call == "scan" }}),
	}
	fenced := with("fenced", RuleSet{}, &storetest.Engine{Weight: dear})
	fenced.planner.Fence = memfence.New(1, 1)
	list = append(list, fenced)
	for _, rule := range pushRules() {
		list = append(list, with("without "+rule.String(), RuleSet{}.Without(rule), &storetest.Engine{Weight: dear}))
	}
	return list
}

var sortOfHit = regexp.MustCompile(`"sort":(\[[^\]]*\])`)

// cursorOf is the sort of a hit of an answer, for search_after.
func cursorOf(r *drawing, answer []byte) string {
	all := sortOfHit.FindAllSubmatch(answer, -1)
	if len(all) == 0 {
		return ""
	}
	return string(all[r.IntN(len(all))][1])
}

// TestPushedAnswersAreTheSame asks drawn searches of drawn documents with all ways of
// answering them. The seed of a failure is printed.
func TestPushedAnswersAreTheSame(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := &drawing{rand.New(rand.NewPCG(seed, 3)), map[string]int{}}
	versus(t, r, 8, 50, func() (store.Documents, *metadata.Index, []setup) {
		m, ix := drawnIndex(t, r, 40+r.IntN(150))
		return m, ix, setups(m)
	})
}

// versus compares what setups answer with an evaluation of all documents, on several
// indices that world makes.
func versus(t *testing.T, r *drawing, rounds, searches int, world func() (store.Documents, *metadata.Index, []setup)) {
	t.Helper()
	ways := map[string]int{}
	asked, found := 0, 0
	for round := 0; round < rounds || round < 4*rounds && len(unseen(ways)) > 0; round++ {
		m, ix, others := world()
		plain := &Planner{Documents: m, Node: "n", Now: time.Now}
		for range searches {
			members := r.search()
			body := "{" + strings.Join(append(members, fmt.Sprintf(`"from":%d,"size":%d`, r.IntN(4), r.IntN(12))), ",") + "}"
			if strings.Contains(body, `"sort"`) && r.IntN(2) == 0 {
				first := answerTo(plain, ix, []byte("{"+strings.Join(append(members, `"size":50`), ",")+"}"))
				if after := cursorOf(r, first); after != "" {
					r.kind("search_after")
					body = "{" + strings.Join(append(members, fmt.Sprintf(`"size":%d,"search_after":%s`, r.IntN(12), after)), ",") + "}"
				}
			}
			want := answerTo(plain, ix, []byte(body))
			asked++
			if bytes.Contains(want, []byte(`"_id"`)) || bytes.Contains(want, []byte(`"doc_count"`)) {
				found++
			}
			for _, s := range others {
				got := answerTo(s.planner, ix, []byte(body))
				calls := s.calls()
				if s.name == "push" {
					ways[wayOf(calls)]++
				}
				if !bytes.Equal(got, want) {
					t.Fatalf("%s\n%s: %q\n got %s\nwant %s", body, s.name, calls, clip(got), clip(want))
				}
			}
		}
	}
	tellDrawn(t, r.kinds, ways)
	if found*3 < asked*2 {
		t.Errorf("only %d of %d searches found something", found, asked)
	}
}

// wayOf is what kinds of calls answered a search.
func wayOf(calls []string) string {
	var kinds []string
	for _, c := range calls {
		kind, _, _ := strings.Cut(c, " ")
		kinds = append(kinds, kind)
	}
	return strings.Join(slices.Compact(kinds), "+")
}

func tellDrawn(t *testing.T, kinds, ways map[string]int) {
	t.Helper()
	for _, list := range []map[string]int{kinds, ways} {
		var lines []string
		for name, n := range list {
			lines = append(lines, fmt.Sprintf("%s %d", name, n))
		}
		slices.Sort(lines)
		t.Logf("%s", strings.Join(lines, ", "))
	}
	if ways := unseen(ways); len(ways) > 0 {
		t.Errorf("no search was answered by %q", ways)
	}
}

// unseen lists the kinds of calls that were never made.
func unseen(ways map[string]int) (kinds []string) {
	for _, kind := range []string{"page", "count", "facet", "scan", "snapshot"} {
		seen := false
		for way := range ways {
			seen = seen || slices.Contains(strings.Split(way, "+"), kind)
		}
		if !seen {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
