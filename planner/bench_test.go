package planner

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"postern/generated/api"
	genquery "postern/generated/query"
	"postern/internal/analysis"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
)

// memory is a store of one index with finished segments.
type memory struct {
	store.Documents
	parts   []segment.Part
	sources [][]byte // by seq_no
	term    int64    // the primary term, 0 for 1
}

func (m *memory) Snapshot(context.Context, *metadata.Index, store.Hold) (store.Snapshot, error) {
	return m, nil
}
func (m *memory) Parts() []segment.Part { return m.parts }
func (m *memory) ID() string            { return "1" }
func (m *memory) Release()              {}
func (m *memory) Sources(_ context.Context, seqNos []int64) ([]store.Stored, error) {
	out := make([]store.Stored, len(seqNos))
	for i, q := range seqNos {
		out[i] = store.Stored{Found: true, Source: m.sources[q], SeqNo: q, PrimaryTerm: max(1, m.term), Version: 1}
	}
	return out, nil
}

// shop is 10,000 documents like those of a shop, with their mapping.
func shop(tb testing.TB, n int) (*memory, *metadata.Index) {
	tb.Helper()
	ix := &metadata.Index{Name: "shop", UUID: "u", Mapping: mustMapping(tb, `{"properties":{
		"brand":{"type":"keyword"},"price":{"type":"long"},"rating":{"type":"double"},"title":{"type":"text"},"sold":{"type":"date"}}}`)}
	standard, _ := analysis.Builtin("standard")
	rnd := rand.New(rand.NewPCG(1, 1))
	m := &memory{}
	tail := segment.NewTail()
	field := ix.Mapping.Field
	for i := range n {
		brand, price := "brand"+strconv.Itoa(rnd.IntN(20)), int64(rnd.IntN(5000))
		title := ""
		for range 8 {
			title += "word" + strconv.Itoa(int(math.Abs(rnd.NormFloat64())*200)) + " "
		}
		rating, sold := rnd.Float64()*5, int64(1.7e12)+rnd.Int64N(1e10)
		tail.Append(&mapping.Document{ID: strconv.Itoa(i), SeqNo: int64(i), Version: 1, Values: []mapping.Value{
			{Field: field("brand"), S: brand}, {Field: field("price"), I: price}, {Field: field("rating"), F: rating},
			{Field: field("title"), S: title, Tokens: standard.Tokens(nil, title)}, {Field: field("sold"), I: sold},
		}})
		m.sources = append(m.sources, fmt.Appendf(nil, `{"brand":%q,"price":%d,"rating":%f,"title":%q,"sold":%d}`, brand, price, rating, title, sold))
	}
	m.parts = []segment.Part{{Segment: tail.Seal()}}
	return m, ix
}

func mustMapping(tb testing.TB, text string) *mapping.Mapping {
	tb.Helper()
	m, err := parseMapping(text)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// request decodes a search body.
func request(tb testing.TB, body string) *api.SearchRequest {
	tb.Helper()
	b, err := api.DecodeSearchBody(jsonx.MustParse(body))
	if err != nil {
		tb.Fatal(err)
	}
	return &api.SearchRequest{Body: *b, DefaultOperator: genquery.OperatorOr}
}

func benchmarkSearch(b *testing.B, body string) {
	m, ix := shop(b, 10000)
	p := &Planner{Documents: m, Now: time.Now}
	r := request(b, body)
	targets := []metadata.Resolved{{Index: ix}}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		a, err := p.Search(context.Background(), targets, r)
		if err != nil {
			b.Fatal(err)
		}
		dst = a.AppendJSON(dst[:0])
	}
	b.SetBytes(int64(len(dst)))
}

func BenchmarkFilteredSortedPage(b *testing.B) {
	benchmarkSearch(b, `{"size":20,"query":{"bool":{"filter":[{"term":{"brand":"brand3"}},{"range":{"price":{"gte":1000}}}]}},"sort":[{"price":"asc"},{"sold":"desc"}]}`)
}

func BenchmarkSortedPage(b *testing.B) {
	benchmarkSearch(b, `{"size":20,"sort":[{"price":"desc"}]}`)
}

func BenchmarkTextTop10(b *testing.B) {
	benchmarkSearch(b, `{"query":{"match":{"title":"word3 word40 word11"}}}`)
}

func BenchmarkFilterCount(b *testing.B) {
	benchmarkSearch(b, `{"size":0,"query":{"bool":{"filter":[{"term":{"brand":"brand3"}},{"range":{"price":{"gte":1000,"lt":3000}}}]}}}`)
}
