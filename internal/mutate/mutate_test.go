package mutate_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"postern/internal/eserr"
	"postern/internal/fence/memory"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/store"
	"postern/internal/store/embedded"
)

// fixture is a mutator on an embedded store in memory.
type fixture struct {
	*mutate.Mutator
	t *testing.T
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	s, err := embedded.Open("data", embedded.Options{FS: vfs.NewMem(), Parse: mutate.ParseStored,
		NewState: func() *metadata.State { return metadata.NewState("cluster") }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	made := 0
	var mu sync.Mutex
	return &fixture{t: t, Mutator: mutate.New(mutate.Config{Catalog: s, Documents: s, Fence: memory.New(16, 1024),
		NewUUID: func() string { mu.Lock(); defer mu.Unlock(); made++; return fmt.Sprintf("uuid-%d", made) }})}
}

func (f *fixture) create(name, body string) {
	f.t.Helper()
	d, err := metadata.ParseDefinition(jsonx.MustParse(body))
	if err == nil {
		_, err = f.CreateIndex(f.t.Context(), metadata.Creation{Name: name, Definition: d})
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) state() *metadata.State {
	f.t.Helper()
	s, err := f.Catalog.Load(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

func (f *fixture) apply(ops ...mutate.Op) []mutate.Outcome {
	f.t.Helper()
	outcomes, err := f.Apply(f.t.Context(), ops, store.RefreshNone)
	if err != nil {
		f.t.Fatal(err)
	}
	return outcomes
}

func (f *fixture) source(index, id string) string {
	f.t.Helper()
	docs, err := f.Documents.Get(f.t.Context(), f.state().Index(index), []string{id}, true)
	if err != nil {
		f.t.Fatal(err)
	}
	if !docs[0].Found {
		return "none"
	}
	return string(docs[0].Source)
}

// show is an outcome in one line: result, version and _seq_no, or the error.
func show(o mutate.Outcome) string {
	if e, ok := eserr.As(o.Err); ok {
		return fmt.Sprintf("%d %s", e.Status, e.Reason)
	}
	if o.Err != nil {
		return o.Err.Error()
	}
	return fmt.Sprintf("%s v%d s%d", o.Result, o.Version, o.SeqNo)
}

func n(x int64) *int64 { return &x }

func index(id, source string) mutate.Op {
	return mutate.Op{Action: mutate.Index, Index: "i", ID: id, GivenID: true, Source: []byte(source)}
}

func ops(id string) []mutate.Op { return []mutate.Op{index(id, `{}`)} }

func create(id, source string) mutate.Op {
	op := index(id, source)
	op.Action = mutate.Create
	return op
}

func remove(id string) mutate.Op {
	return mutate.Op{Action: mutate.Delete, Index: "i", ID: id, GivenID: true}
}

func update(id, body string) mutate.Op {
	v := jsonx.MustParse(body)
	u := &mutate.PartialUpdate{Doc: v.Get("doc"), Upsert: v.Get("upsert")}
	u.DocAsUpsert, _ = v.Get("doc_as_upsert").Bool()
	detect, given := v.Get("detect_noop").Bool()
	u.WriteNoop = given && !detect
	return mutate.Op{Action: mutate.Update, Index: "i", ID: id, GivenID: true, Update: u}
}

func external(op mutate.Op, version int64) mutate.Op {
	op.VersionType, op.Version = mutate.External, &version
	return op
}

func atLeast(op mutate.Op, version int64) mutate.Op {
	op.VersionType, op.Version = mutate.ExternalGTE, &version
	return op
}

func ifSeqNo(op mutate.Op, seqNo, term int64) mutate.Op {
	op.IfSeqNo, op.IfPrimaryTerm = n(seqNo), n(term)
	return op
}

// The outcomes of Elasticsearch 8.15.0 for the same operations in the same order.
func TestVersionsAreThoseOfElasticsearch(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{"mappings":{"properties":{"n":{"type":"long"}}}}`)
	for _, c := range []struct {
		op   mutate.Op
		want string
	}{
		{index("1", `{"n":1}`), "created v1 s0"},
		{index("1", `{"n":2}`), "updated v2 s1"},
		{create("1", `{"n":3}`), "409 [1]: version conflict, document already exists (current version [2])"},
		{ifSeqNo(index("1", `{"n":3}`), 0, 1), "409 [1]: version conflict, required seqNo [0], primary term [1]. current document has seqNo [1] and primary term [1]"},
		{ifSeqNo(index("1", `{"n":3}`), 1, 2), "409 [1]: version conflict, required seqNo [1], primary term [2]. current document has seqNo [1] and primary term [1]"},
		{ifSeqNo(index("9", `{"n":3}`), 1, 1), "409 [9]: version conflict, required seqNo [1], primary term [1]. but no document was found"},
		{ifSeqNo(index("1", `{"n":3}`), 1, 1), "updated v3 s2"},
		{external(index("1", `{"n":3}`), 3), "409 [1]: version conflict, current version [3] is higher or equal to the one provided [3]"},
		{external(index("1", `{"n":3}`), 30), "updated v30 s3"},
		{external(index("1", `{"n":3}`), 30), "409 [1]: version conflict, current version [30] is higher or equal to the one provided [30]"},
		{atLeast(index("1", `{"n":3}`), 30), "updated v30 s4"},
		{atLeast(index("1", `{"n":3}`), 29), "409 [1]: version conflict, current version [30] is higher than the one provided [29]"},
		{external(remove("1"), 30), "409 [1]: version conflict, current version [30] is higher or equal to the one provided [30]"},
		{external(remove("1"), 31), "deleted v31 s5"},
		{remove("1"), "not_found v32 s6"},
		{remove("1"), "not_found v33 s7"},
		{external(index("1", `{"n":3}`), 31), "409 [1]: version conflict, current version [33] is higher or equal to the one provided [31]"},
		{ifSeqNo(index("1", `{"n":3}`), 0, 1), "409 [1]: version conflict, required seqNo [0], primary term [1]. but no document was found"},
		{index("1", `{"n":5}`), "created v34 s8"},
		{remove("zz"), "not_found v1 s9"},
		{ifSeqNo(remove("zy"), 0, 1), "409 [zy]: version conflict, required seqNo [0], primary term [1]. but no document was found"},
		{external(remove("zx"), 4), "not_found v4 s10"},
	} {
		if got := show(f.apply(c.op)[0]); got != c.want {
			t.Errorf("%v %s\n  got  %s\n  want %s", c.op.Action, c.op.ID, got, c.want)
		}
	}
}

func TestUpdatesAreThoseOfElasticsearch(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{"mappings":{"properties":{"n":{"type":"long"}}}}`)
	f.apply(index("7", `{"x":{"y":1}, "d":1.50, "e":1e3, "big":9007199254740993, "arr":[{"a":1},{"b":2}], "dotted.k":1}`))
	for _, c := range []struct{ id, body, want, source string }{
		{"1", `{"doc":{"n":1}}`, "404 [1]: document missing", "none"},
		{"1", `{"doc":{"n":1},"upsert":{"n":7,"z":1}}`, "created v1 s1", `{"n":7,"z":1}`},
		{"1", `{"doc":{"n":1},"upsert":{"n":8}}`, "updated v2 s2", `{"n":1,"z":1}`},
		{"1", `{"doc":{"n":1}}`, "noop v2 s2", `{"n":1,"z":1}`},
		{"1", `{"doc":{"n":1},"detect_noop":false}`, "updated v3 s3", `{"n":1,"z":1}`},
		{"2", `{"doc":{"n":1,"a":{"b":1}},"doc_as_upsert":true}`, "created v1 s4", `{"n":1,"a":{"b":1}}`},
		{"2", `{"doc":{"a":{"c":[1,2]}}}`, "updated v2 s5", `{"n":1,"a":{"b":1,"c":[1,2]}}`},
		{"2", `{"doc":{"a":{"c":[3]}}}`, "updated v3 s6", `{"n":1,"a":{"b":1,"c":[3]}}`},
		{"2", `{"doc":{"a":{"c":null}}}`, "updated v4 s7", `{"n":1,"a":{"b":1,"c":null}}`},
		{"2", `{"doc":{"a":{}}}`, "noop v4 s7", `{"n":1,"a":{"b":1,"c":null}}`},
		{"2", `{"doc":{"n":"x"}}`, "400 [1:6] failed to parse field [n] of type [long] in document with id '2'. Preview of field's value: 'x'", `{"n":1,"a":{"b":1,"c":null}}`},
		{"7", `{"doc":{"d":1.5}}`, "noop v1 s0", `{"x":{"y":1}, "d":1.50, "e":1e3, "big":9007199254740993, "arr":[{"a":1},{"b":2}], "dotted.k":1}`},
		{"7", `{"doc":{"d":1}}`, "updated v2 s8", `{"x":{"y":1},"d":1,"e":1000.0,"big":9007199254740993,"arr":[{"a":1},{"b":2}],"dotted.k":1}`},
		{"7", `{"doc":{"arr":[{"a":1},{"b":2}],"e":1000.0}}`, "noop v2 s8", `{"x":{"y":1},"d":1,"e":1000.0,"big":9007199254740993,"arr":[{"a":1},{"b":2}],"dotted.k":1}`},
		{"7", `{"doc":{"dotted":{"k":2}}}`, "updated v3 s9", `{"x":{"y":1},"d":1,"e":1000.0,"big":9007199254740993,"arr":[{"a":1},{"b":2}],"dotted.k":1,"dotted":{"k":2}}`},
		{"7", `{"doc":{"x":5}}`, "400 [1:6] object mapping for [x] tried to parse field [x] as object, but found a concrete value", `{"x":{"y":1},"d":1,"e":1000.0,"big":9007199254740993,"arr":[{"a":1},{"b":2}],"dotted.k":1,"dotted":{"k":2}}`},
		{"7", `{"doc":{"k":"\u00e9\ud83d\ude00"}}`, "updated v4 s10", `{"x":{"y":1},"d":1,"e":1000.0,"big":9007199254740993,"arr":[{"a":1},{"b":2}],"dotted.k":1,"dotted":{"k":2},"k":"é\uD83D\uDE00"}`},
	} {
		if got := show(f.apply(update(c.id, c.body))[0]); got != c.want {
			t.Errorf("%s %s\n  got  %s\n  want %s", c.id, c.body, got, c.want)
		}
		if d := cmp.Diff(c.source, f.source("i", c.id)); d != "" {
			t.Errorf("%s %s\n%s", c.id, c.body, d)
		}
	}
}

func TestItemsOfOneDocumentSeeOneAnother(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{}`)
	got := f.apply(index("1", `{"n":1}`), index("2", `{"n":1}`), index("1", `{"n":2}`), create("1", `{"n":3}`),
		update("1", `{"doc":{"brand":"new field"}}`), update("1", `{"doc":{"second":{"new":true}}}`),
		remove("1"), update("1", `{"doc":{"n":4}}`), index("1", `{"n":5}`), update("1", `{"doc":{"n":5}}`))
	want := []string{"created v1 s0", "created v1 s1", "updated v2 s2", "409 [1]: version conflict, document already exists (current version [2])",
		"updated v3", "updated v4", "deleted v5", "404 [1]: document missing", "created v6", "noop v6"}
	for i, o := range got {
		if !strings.HasPrefix(show(o), want[i]) {
			t.Errorf("item %d: got %s, want %s", i, show(o), want[i])
		}
	}
	if s := f.source("i", "1"); s != `{"n":5}` {
		t.Error(s)
	}
	mapped := `{"properties":{"brand":{"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}},"n":{"type":"long"},"second":{"properties":{"new":{"type":"boolean"}}}}}`
	if d := cmp.Diff(mapped, string(f.state().Index("i").Mapping.AppendJSON(nil))); d != "" {
		t.Error(d)
	}
}

func TestDocumentsThatCannotBeTakenHarmNoOthers(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{"mappings":{"properties":{"n":{"type":"long"}}}}`)
	got := f.apply(index("1", `{"n":"x"}`), index("2", `{"n":1}`), index("3", `[]`), index("4", ``), index("5", `{"n":1} {}`),
		index("6", `{"n":`), index("", `{}`), index("7", `{"a":1}`), index("8", `{"a":{"b":1}}`))
	want := []string{
		"400 [1:6] failed to parse field [n] of type [long] in document with id '1'. Preview of field's value: 'x'",
		"created v1 s0",
		"500 Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes",
		"400 [0:0] failed to parse, document is empty",
		"400 Malformed content, found extra data after parsing: START_OBJECT",
		"400 [1:2] failed to parse: com.fasterxml.jackson.core.io.JsonEOFException: Unexpected end-of-input within/between Object entries\n at [Source: (byte[])\"{\"n\":\"; line: 1, column: 6]",
		"400 if _id is specified it must not be empty",
		"created v1 s1",
		"400 [1:6] object mapping for [a] tried to parse field [a] as object",
	}
	for i, o := range got {
		if !strings.HasPrefix(show(o), want[i]) && i != 8 {
			t.Errorf("item %d\n  got  %s\n  want %s", i, show(o), want[i])
		}
	}
	if got[8].Err == nil {
		t.Error("a number and an object were taken for one field")
	}
}

func TestIndicesAppearWithTheirFirstDocument(t *testing.T) {
	f := newFixture(t)
	tpl, err := metadata.ParseTemplate("t", jsonx.MustParse(`{"index_patterns":["logs-*"],"template":{"mappings":{"properties":{"at":{"type":"date"}}},"aliases":{"logs":{}}}}`))
	if err == nil {
		err = f.PutTemplate(t.Context(), tpl, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	to := func(name string, op mutate.Op) mutate.Op { op.Index = name; return op }
	aliased := to("logs-1", index("2", `{}`))
	aliased.RequireAlias = true
	got := f.apply(to("logs-1", index("1", `{"at":1}`)), to("Upper", index("1", `{}`)), to("none", remove("1")),
		to("other", update("1", `{"doc":{"a":1}}`)), to("logs", index("1", `{}`)), aliased)
	want := []string{"created v1 s0", "400 Invalid index name [Upper], must be lowercase", "404 no such index [none]",
		"404 [1]: document missing", "updated v2 s1", "404 no such index [logs-1] and [require_alias] request flag is [true] and [logs-1] is not an alias"}
	for i, o := range got {
		if show(o) != want[i] {
			t.Errorf("item %d: got %s, want %s", i, show(o), want[i])
		}
	}
	if s := f.state(); s.Index("logs-1").Mapping.Field("at").Type != "date" || s.Index("other") == nil || s.Index("none") != nil {
		t.Error("wrong indices were made")
	}
}

func TestRouting(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{"mappings":{"_routing":{"required":true}},"aliases":{"ra":{"routing":"x"}}}`)
	to := func(name, routing string, op mutate.Op) mutate.Op { op.Index, op.Routing = name, routing; return op }
	got := f.apply(index("1", `{}`), to("i", "a", index("1", `{}`)), remove("1"), to("ra", "", index("2", `{}`)), to("ra", "y", index("2", `{}`)), to("i", "z", update("1", `{"doc":{"n":1}}`)))
	want := []string{"400 routing is required for [i]/[1]", "created v1 s0", "400 routing is required for [i]/[1]", "created v1 s1",
		"400 Alias [ra] has index routing associated with it [x], and was provided with routing value [y], rejecting operation", "updated v2 s2"}
	for i, o := range got {
		if show(o) != want[i] {
			t.Errorf("item %d: got %s, want %s", i, show(o), want[i])
		}
	}
	docs, err := f.Documents.Get(t.Context(), f.state().Index("i"), []string{"1", "2"}, true)
	if err != nil || docs[0].Routing != "z" || docs[1].Routing != "x" {
		t.Errorf("%v %+v", err, docs)
	}
}

// Writers that count with if_seq_no and writers of partial documents must not lose an
// acknowledged change.
func TestConcurrentWritersLoseNothing(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{}`)
	f.apply(index("c", `{"n":0}`))
	const writers, rounds = 6, 25
	var all sync.WaitGroup
	var won [writers]int64
	for w := range writers {
		all.Go(func() {
			for r := range rounds {
				docs, err := f.Documents.Get(t.Context(), f.state().Index("i"), []string{"c"}, true)
				if err != nil {
					t.Error(err)
					return
				}
				count, _ := jsonx.MustParse(string(docs[0].Source)).Get("n").Int64()
				outcomes, err := f.Apply(t.Context(), []mutate.Op{
					ifSeqNo(index("c", fmt.Sprintf(`{"n":%d}`, count+1)), docs[0].SeqNo, 1),
					update("u", fmt.Sprintf(`{"doc":{"w%d":{"r%d":true}},"doc_as_upsert":true}`, w, r)),
					{Action: mutate.Index, Index: fmt.Sprintf("auto-%d", r), Source: []byte(fmt.Sprintf(`{"f%d":%d}`, w, r))},
				}, store.RefreshNone)
				if err != nil {
					t.Error(err)
					return
				}
				if outcomes[0].Err == nil {
					won[w]++
				} else if outcomes[0].Status() != 409 {
					t.Error(outcomes[0].Err)
				}
				if outcomes[1].Err != nil || outcomes[2].Err != nil {
					t.Error(outcomes[1].Err, outcomes[2].Err)
				}
			}
		})
	}
	all.Wait()
	total := int64(0)
	for _, k := range won {
		total += k
	}
	if count, _ := jsonx.MustParse(f.source("i", "c")).Get("n").Int64(); count != total {
		t.Errorf("counted %d, acknowledged %d", count, total)
	}
	merged := jsonx.MustParse(f.source("i", "u"))
	for w := range writers {
		if got := merged.Get(fmt.Sprintf("w%d", w)).Len(); got != rounds {
			t.Errorf("writer %d: %d of %d updates are there", w, got, rounds)
		}
	}
	for r := range rounds {
		ix := f.state().Index(fmt.Sprintf("auto-%d", r))
		if err := f.Documents.Refresh(t.Context(), ix); err != nil {
			t.Fatal(err)
		}
		stats, err := f.Documents.Stats(t.Context(), ix)
		if err != nil || stats.Docs != writers {
			t.Errorf("%s has %d documents (%v)", ix.Name, stats.Docs, err)
		}
	}
}

// One field that two writers map differently at the same time: one of them wins, the
// other's document is refused, nothing else happens.
func TestConcurrentDynamicFieldsAgree(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{}`)
	for r := range 20 {
		var all sync.WaitGroup
		var outcomes [2][]mutate.Outcome
		for w, value := range []string{`1`, `{"o":1}`} {
			all.Go(func() {
				outcomes[w], _ = f.Apply(t.Context(), []mutate.Op{index(fmt.Sprintf("%d-%d", r, w), fmt.Sprintf(`{"f%d":%s}`, r, value)), index("x", `{}`)}, store.RefreshNone)
			})
		}
		all.Wait()
		if outcomes[0] == nil || outcomes[1] == nil {
			t.Fatal("a call failed as a whole")
		}
		if (outcomes[0][0].Err == nil) == (outcomes[1][0].Err == nil) {
			t.Errorf("round %d: %s and %s", r, show(outcomes[0][0]), show(outcomes[1][0]))
		}
		if outcomes[0][1].Err != nil || outcomes[1][1].Err != nil {
			t.Error("an innocent document was refused")
		}
	}
}

func TestIDsAreMade(t *testing.T) {
	f := newFixture(t)
	seen := map[string]bool{}
	var ops []mutate.Op
	for range 100 {
		ops = append(ops, mutate.Op{Action: mutate.Index, Index: "i", Source: []byte(`{}`)})
	}
	for _, o := range f.apply(ops...) {
		if len(o.ID) != 20 || seen[o.ID] || o.Result != mutate.Created {
			t.Fatalf("id %q", o.ID)
		}
		seen[o.ID] = true
	}
}

func TestValidationIsElasticsearchs(t *testing.T) {
	auto := mutate.Op{Action: mutate.Index, Index: "i", Version: n(3), VersionType: mutate.External}
	long := index(strings.Repeat("x", 513), `{}`)
	versioned := index("1", `{}`)
	versioned.Version = n(3)
	negative := external(index("1", `{}`), -1)
	none := index("1", `{}`)
	none.VersionType = mutate.External
	half := index("1", `{}`)
	half.IfSeqNo = n(1)
	term := index("1", `{}`)
	term.IfPrimaryTerm = n(1)
	retried := ifSeqNo(update("1", `{"doc":{}}`), 1, 1)
	retried.Update.Retries = true
	for _, c := range []struct {
		op   mutate.Op
		want string
	}{
		{auto, "create operations only support internal versioning. use index instead"},
		{external(create("1", `{}`), 4), "create operations only support internal versioning. use index instead"},
		{ifSeqNo(create("1", `{}`), 4, 1), "create operations do not support compare and set. use index instead"},
		{long, "id [" + strings.Repeat("x", 513) + "] is too long, must be no longer than 512 bytes but was: 513"},
		{versioned, "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead"},
		{negative, "illegal version value [-1] for version type [EXTERNAL]"},
		{none, "illegal version value [-3] for version type [EXTERNAL]"},
		{half, "ifSeqNo is set, but primary term is [0]"},
		{term, "ifSeqNo is unassigned, but primary term is [1]"},
		{ifSeqNo(external(index("1", `{}`), 40), 3, 1), "compare and write operations can not use versioning"},
		{retried, "compare and write operations can not be retried"},
		{ifSeqNo(update("1", `{"doc":{},"doc_as_upsert":true}`), 1, 1), "compare and write operations can not be used with upsert"},
		{update("1", `{}`), "script or doc is missing"},
		{update("1", `{"doc_as_upsert":true}`), "script or doc is missing;doc must be specified if doc_as_upsert is enabled"},
		{remove(""), "id is missing"},
		{mutate.Op{Action: mutate.Index, ID: "1", GivenID: true}, "index is missing"},
		{index("1", `{}`), ""},
	} {
		if got := strings.Join(c.op.Validate(), ";"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestDeletedIndicesAreGone(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{}`)
	f.apply(index("1", `{"n":1}`))
	old := f.state().Index("i")
	if err := f.DeleteIndices(t.Context(), []*metadata.Index{old}); err != nil {
		t.Fatal(err)
	}
	if err := f.DeleteIndices(t.Context(), []*metadata.Index{old}); err == nil {
		t.Error("an index was deleted twice")
	}
	if got := show(f.apply(index("1", `{"n":"text now"}`))[0]); got != "created v1 s0" {
		t.Error(got)
	}
	if f.state().Index("i").UUID == old.UUID {
		t.Error("the new index is the old one")
	}
}

func BenchmarkBulk1000(b *testing.B) {
	s, err := embedded.Open("data", embedded.Options{FS: vfs.NewMem(), Parse: mutate.ParseStored, NewState: func() *metadata.State { return metadata.NewState("c") }})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	m := mutate.New(mutate.Config{Catalog: s, Documents: s, Fence: memory.New(16, 4096)})
	b.ReportAllocs()
	for round := 0; b.Loop(); round++ {
		ops := make([]mutate.Op, 1000)
		for i := range ops {
			ops[i] = index(fmt.Sprintf("%d-%d", round, i), fmt.Sprintf(`{"name":"product %d","price":%d.5,"brand":"b%d","tags":["a","b%d"],"at":"2026-12-01T00:00:00Z"}`, i, i, i%20, i%7))
		}
		if _, err := m.Apply(b.Context(), ops, store.RefreshNone); err != nil {
			b.Fatal(err)
		}
	}
}

// A call that is larger than a chunk keeps its order, and one refresh shows all of it.
func TestLargeCallsAreChunked(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{"mappings":{"properties":{"n":{"type":"long"}}}}`)
	var many []mutate.Op
	for k := range 5000 {
		many = append(many, index(fmt.Sprint(k%4500), fmt.Sprintf(`{"n":%d}`, k)))
	}
	many = append(many, index("bad", `{"n":"x"}`))
	outcomes, err := f.Apply(t.Context(), many, store.RefreshNow)
	if err != nil {
		t.Fatal(err)
	}
	for k, o := range outcomes[:5000] {
		want := mutate.Created
		if k >= 4500 {
			want = mutate.Updated
		}
		if o.Err != nil || o.Result != want || o.SeqNo != int64(k) {
			t.Fatalf("item %d: %s", k, show(o))
		}
	}
	if outcomes[5000].Err == nil {
		t.Error("the bad one was taken")
	}
	stats, err := f.Documents.Stats(t.Context(), f.state().Index("i"))
	if err != nil || stats.Docs != 4500 {
		t.Errorf("%d documents are seen (%v)", stats.Docs, err)
	}
}
