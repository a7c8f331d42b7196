package planner

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"postern/generated/api"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
)

// cluster is a store of several indices.
type cluster struct {
	store.Documents
	indices map[string]*memory
	taken   int // snapshots held
}

func (c *cluster) Snapshot(_ context.Context, ix *metadata.Index, _ store.Hold) (store.Snapshot, error) {
	c.taken++
	return &held{c.indices[ix.Name], c}, nil
}

type held struct {
	*memory
	cluster *cluster
}

func (h *held) Release() { h.cluster.taken-- }

// library builds indices of documents, given as lines of name, id and source.
func library(t *testing.T, mappings map[string]string, lines string) (*Planner, *cluster, map[string]metadata.Resolved) {
	t.Helper()
	c := &cluster{indices: map[string]*memory{}}
	targets := map[string]metadata.Resolved{}
	tails := map[string]*segment.Tail{}
	for name, text := range mappings {
		targets[name] = metadata.Resolved{Index: &metadata.Index{Name: name, UUID: "uuid-" + name, Mapping: mustMapping(t, text)}}
		c.indices[name], tails[name] = &memory{}, segment.NewTail()
	}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		parts := strings.SplitN(strings.TrimSpace(line), " ", 3)
		m := c.indices[parts[0]]
		doc := &mapping.Document{}
		if err := parseDocument(targets[parts[0]].Index.Mapping, doc, parts[1], "", jsonx.MustParse(parts[2])); err != nil {
			t.Fatal(err)
		}
		doc.SeqNo, doc.Version = int64(len(m.sources)), 1
		tails[parts[0]].Append(doc)
		m.sources = append(m.sources, []byte(parts[2]))
	}
	for name, tail := range tails {
		c.indices[name].parts = []segment.Part{{Segment: tail.View(tail.Len())}}
	}
	return &Planner{Documents: c, Node: "n1", Now: time.Now}, c, targets
}

const books = `{"properties":{"k":{"type":"keyword"},"n":{"type":"long"},"t":{"type":"text"}}}`

func shelves(t *testing.T) (*Planner, *cluster, map[string]metadata.Resolved) {
	return library(t, map[string]string{"b": books, "a": books, "c": `{"properties":{"n":{"type":"keyword"}}}`}, `
b 1 {"k":"x","n":3,"t":"fox"}
b 2 {"k":"y","n":1,"t":"dog fox"}
a 1 {"k":"x","n":2}
a 2 {"k":"z","n":3}
a 3 {"n":5}
c 1 {"n":"seven"}`)
}

// ask searches and gives the hits as index/id, with their sort values.
func ask(t *testing.T, p *Planner, body string, targets ...metadata.Resolved) (string, *Answer) {
	t.Helper()
	a, err := p.Search(context.Background(), targets, request(t, body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	var hits []string
	for _, h := range a.Hits {
		hits = append(hits, h.Index+h.ID+string(h.Sort))
	}
	return strings.Join(hits, " "), a
}

func TestSearchOverSeveralIndices(t *testing.T) {
	p, c, ix := shelves(t)
	for _, tc := range []struct{ body, want string }{
		{`{"sort":["n"]}`, "b2[1] a1[2] a2[3] b1[3] a3[5]"},
		{`{"sort":[{"n":"desc"}],"from":1,"size":3}`, "a2[3] b1[3] a1[2]"},
		{`{"sort":["k","n"]}`, `a1["x",2] b1["x",3] b2["y",1] a2["z",3] a3[null,5]`},
		{`{"sort":["n"],"search_after":[3]}`, "a3[5]"},
		{`{"query":{"term":{"_index":"a"}}}`, "a1 a2 a3"},
		{`{"query":{"match":{"t":"fox"}}}`, "b1 b2"},
		{`{"size":0}`, ""},
		{`{}`, "a1 a2 a3 b1 b2"},
	} {
		if got, _ := ask(t, p, tc.body, ix["b"], ix["a"]); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.body, got, tc.want)
		}
	}
	if c.taken != 0 {
		t.Errorf("%d snapshots were not released", c.taken)
	}
}

func TestOneIndexFails(t *testing.T) {
	p, c, ix := shelves(t)
	got, a := ask(t, p, `{"query":{"range":{"n":{"gt":"abc"}}}}`, ix["a"], ix["c"])
	if want := `{"total":2,"successful":1,"skipped":0,"failed":1,"failures":[{"shard":0,"index":"a","node":"n1","reason":{"type":"query_shard_exception","reason":"failed to create query: For input string: \"abc\"","index_uuid":"uuid-a","index":"a","caused_by":{"type":"number_format_exception","reason":"For input string: \"abc\""}}}]}`; got != "c1" || string(a.Shards.AppendJSON(nil)) != want {
		t.Errorf("%s %s", got, a.Shards.AppendJSON(nil))
	}
	no := false
	r := request(t, `{"query":{"range":{"n":{"gt":"abc"}}}}`)
	r.AllowPartialSearchResults = &no
	if _, err := p.Search(context.Background(), []metadata.Resolved{ix["a"], ix["c"]}, r); err == nil || !strings.Contains(err.Error(), "Partial shards failure") {
		t.Errorf("partial results were not refused: %v", err)
	}
	_, err := p.Search(context.Background(), []metadata.Resolved{ix["a"], ix["c"]}, request(t, `{"sort":["n"]}`))
	if err == nil || !strings.Contains(fmt.Sprint(err), "search_phase_execution_exception") {
		t.Errorf("numbers were sorted among texts: %v", err)
	}
	if c.taken != 0 {
		t.Errorf("%d snapshots were not released", c.taken)
	}
}

func TestFilteringAlias(t *testing.T) {
	p, _, ix := shelves(t)
	through := metadata.Resolved{Index: &metadata.Index{Name: "a", UUID: "uuid-a", Mapping: ix["a"].Index.Mapping, Aliases: []metadata.Alias{
		{Name: "some", Filter: []byte(`{"term":{"k":"x"}}`)}, {Name: "three", Filter: []byte(`{"range":{"n":{"gte":5}}}`)},
	}}, Aliases: []string{"some"}}
	if got, a := ask(t, p, `{}`, through); got != "a1" || *a.MaxScore != 1 {
		t.Errorf("one filter: %s", got)
	}
	through.Aliases = []string{"some", "three"}
	if got, _ := ask(t, p, `{}`, through); got != "a1 a3" {
		t.Errorf("two filters: %s", got)
	}
	if got, _ := ask(t, p, `{"query":{"term":{"_index":"some"}}}`, through); got != "a1 a3" {
		t.Errorf("the alias's name: %s", got)
	}
}

func TestNoIndex(t *testing.T) {
	p, _, _ := shelves(t)
	for body, want := range map[string]string{
		`{"aggs":{"a":{"terms":{"field":"k"}}}}`:  `{"took":0,"timed_out":false,"_shards":{"total":0,"successful":0,"skipped":0,"failed":0},"hits":{"total":{"value":0,"relation":"eq"},"max_score":0.0,"hits":[]}}`,
		`{"sort":["k"],"track_total_hits":false}`: `{"took":0,"timed_out":false,"_shards":{"total":0,"successful":0,"skipped":0,"failed":0},"hits":{"max_score":0.0,"hits":[]}}`,
	} {
		_, a := ask(t, p, body)
		a.TookMillis = 0
		if got := string(a.AppendJSON(nil)); got != want {
			t.Errorf("%s: %s", body, got)
		}
	}
}

func TestLimits(t *testing.T) {
	p, _, ix := shelves(t)
	_, a := ask(t, p, `{"terminate_after":2}`, ix["a"])
	if !*a.TerminatedEarly || a.Total.Value != 2 {
		t.Errorf("terminate_after 2: %v", a.Total)
	}
	if _, a = ask(t, p, `{"terminate_after":3}`, ix["a"]); *a.TerminatedEarly || a.Total.Value != 3 {
		t.Errorf("terminate_after 3: %v", a.Total)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Search(ctx, []metadata.Resolved{ix["a"]}, request(t, `{"query":{"term":{"k":"x"}}}`)); err != context.Canceled {
		t.Errorf("a cancelled search answers %v", err)
	}
	r := request(t, `{"query":{"term":{"k":"x"}},"timeout":"1nanos"}`)
	late, err := p.Search(context.Background(), []metadata.Resolved{ix["a"]}, r)
	if err != nil || !late.TimedOut || len(late.Hits) != 0 {
		t.Errorf("a search that times out answers %v %v", late, err)
	}
}

func TestCount(t *testing.T) {
	p, _, ix := shelves(t)
	c, err := p.Count(context.Background(), []metadata.Resolved{ix["a"], ix["b"]}, &api.CountRequest{Q: new("k:x")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(c.AppendJSON(nil)), `{"count":2,"_shards":{"total":2,"successful":2,"skipped":0,"failed":0}}`; got != want {
		t.Errorf("%s", got)
	}
	one := 1
	c, err = p.Count(context.Background(), []metadata.Resolved{ix["a"]}, &api.CountRequest{TerminateAfter: &one, Q: new("n:[1 TO 9]")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(c.AppendJSON(nil)), `{"terminated_early":true,"count":1,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0}}`; got != want {
		t.Errorf("%s", got)
	}
	c, err = p.Count(context.Background(), nil, &api.CountRequest{})
	if err != nil || c.Count != 0 {
		t.Errorf("no index: %v %v", c, err)
	}
}

// TestKey compares the keys of searches that mean the same, and of such that don't.
func TestKey(t *testing.T) {
	_, _, ix := shelves(t)
	key := func(body string) string {
		plan, err := Parse([]metadata.Resolved{ix["a"]}, request(t, body), time.Unix(1e9, 0))
		if err != nil {
			t.Fatal(err)
		}
		return string(plan.Key(nil))
	}
	base := key(`{"query":{"bool":{"filter":[{"term":{"k":"x"}},{"range":{"n":{"gt":1}}}]}}}`)
	for _, body := range []string{
		`{"query":{"bool":{"filter":[{"range":{"n":{"gte":2}}},{"term":{"k":{"value":"x"}}}]}},"size":10}`,
		`{"query":{"bool":{"filter":[{"range":{"n":{"gte":1.5}}},{"term":{"k":"x"}},{"term":{"k":"x"}}]}},"from":0}`,
		`{"query":{"bool":{"filter":[{"term":{"k":"x"}},{"range":{"n":{"gt":1}}}],"must_not":{"term":{"unmapped":1}}}},"track_total_hits":10000}`,
	} {
		if key(body) != base {
			t.Errorf("%s\n%s, want\n%s", body, key(body), base)
		}
	}
	for _, body := range []string{
		`{"query":{"bool":{"must":[{"term":{"k":"x"}},{"range":{"n":{"gt":1}}}]}}}`,
		`{"query":{"bool":{"filter":[{"term":{"k":"x"}},{"range":{"n":{"gt":2}}}]}}}`,
		`{"query":{"bool":{"filter":[{"term":{"k":"x"}},{"range":{"n":{"gt":1}}}]}},"size":11}`,
		`{"query":{"bool":{"filter":[{"term":{"k":"x"}},{"range":{"n":{"gt":1}}}]}},"_source":false}`,
		`{"query":{"bool":{"filter":[{"term":{"k":"x"}},{"range":{"n":{"gt":1}}}]}},"sort":["n"]}`,
	} {
		if key(body) == base {
			t.Errorf("%s has the same key", body)
		}
	}
}
