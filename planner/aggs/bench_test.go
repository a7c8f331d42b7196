package aggs

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/generated/api"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/planner/query"
)

// Ten thousand documents in one segment, half of them selected.
func BenchmarkCollect(b *testing.B) {
	m := recordedMapping(b)
	rng := rand.New(rand.NewPCG(3, 0))
	docs := make([]string, 10000)
	for i := range docs {
		docs[i] = fmt.Sprintf(`{"k":"shop-%d","ks":["t%d","t%d"],"l":%d,"ls":[%d,%d],"d":%g,"i":%d,"dt":"2024-%02d-%02dT%02d:00:00Z"}`,
			rng.IntN(20), rng.IntN(500), rng.IntN(500), rng.IntN(1e9), rng.IntN(50), rng.IntN(50), rng.Float64()*1e4, rng.IntN(2),
			1+rng.IntN(12), 1+rng.IntN(28), rng.IntN(24))
	}
	parts := spread(b, m, docs, len(docs))
	for _, bench := range []struct{ name, aggs string }{
		{"terms of 20", `{"terms":{"field":"k"}}`},
		{"terms of 20 with avg", `{"terms":{"field":"k"},"aggs":{"a":{"avg":{"field":"d"}}}}`},
		{"terms of 500, several a document", `{"terms":{"field":"ks"}}`},
		{"terms of 5000 numbers", `{"terms":{"field":"l"}}`},
		{"terms of 5000 numbers with avg", `{"terms":{"field":"l"},"aggs":{"a":{"avg":{"field":"d"}}}}`},
		{"date histogram by month", `{"date_histogram":{"field":"dt","calendar_interval":"month"}}`},
		{"date histogram by day", `{"date_histogram":{"field":"dt","calendar_interval":"day","time_zone":"Europe/Berlin"}}`},
		{"histogram", `{"histogram":{"field":"d","interval":100}}`},
		{"range", `{"range":{"field":"d","ranges":[{"to":100},{"from":100,"to":5000},{"from":5000}]}}`},
		{"stats", `{"stats":{"field":"d"}}`},
		{"cardinality of 5000", `{"cardinality":{"field":"l"}}`},
		{"cardinality of 20", `{"cardinality":{"field":"k"}}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			body, err := api.DecodeSearchBody(jsonx.MustParse(`{"query":{"term":{"i":1}},"aggs":{"A":` + bench.aggs + `}}`))
			if err != nil {
				b.Fatal(err)
			}
			c := &query.Context{Mapping: m}
			half, err := query.Parse(c, body.Query)
			if err != nil {
				b.Fatal(err)
			}
			docs, err := query.Match(query.NewExec(b.Context(), parts), half, segment.Part{Segment: parts[0].Segment})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				tree, err := Parse(c, body.Aggregations, nil)
				if err != nil {
					b.Fatal(err)
				}
				if err := tree.Collect(query.NewExec(b.Context(), parts), parts[0], docs); err != nil {
					b.Fatal(err)
				}
				if _, err := tree.AppendJSON(nil, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A million documents in one segment: what each value costs.
func BenchmarkMillion(b *testing.B) {
	const size = 1_000_000
	m := recordedMapping(b)
	rng := rand.New(rand.NewPCG(5, 0))
	tail := segment.NewTail()
	for i := range size {
		source := fmt.Sprintf(`{"k":"value-%06d","l":%d,"d":%g,"dt":%d}`, rng.IntN(100_000), rng.IntN(100_000), rng.Float64()*1e4, 1_700_000_000_000+rng.Int64N(365*86_400_000))
		doc := &mapping.Document{}
		if _, err := m.ParseDocument(doc, strconv.Itoa(i), "", jsonx.MustParse(source)); err != nil {
			b.Fatal(err)
		}
		doc.SeqNo, doc.Version = int64(i), 1
		tail.Append(doc)
	}
	parts := []segment.Part{{Segment: tail.Seal()}}
	some := roaring.New() // so that nothing is answered from the dictionary alone
	some.AddRange(1, size)
	for _, bench := range []struct{ name, aggs string }{
		{"terms of 100000 keywords", `{"terms":{"field":"k"}}`},
		{"terms of 100000 keywords with avg", `{"terms":{"field":"k"},"aggs":{"a":{"avg":{"field":"d"}}}}`},
		{"terms of 100000 numbers", `{"terms":{"field":"l"}}`},
		{"cardinality of keywords", `{"cardinality":{"field":"k"}}`},
		{"cardinality of numbers", `{"cardinality":{"field":"l"}}`},
		{"percentiles", `{"percentiles":{"field":"d"}}`},
		{"composite, first page", `{"composite":{"size":1000,"sources":[{"k":{"terms":{"field":"k"}}}]}}`},
		{"composite, a page in the middle", `{"composite":{"size":1000,"sources":[{"k":{"terms":{"field":"k"}}}],"after":{"k":"value-050000"}}}`},
		{"date histogram by day with sum", `{"date_histogram":{"field":"dt","calendar_interval":"day"},"aggs":{"s":{"sum":{"field":"d"}}}}`},
		{"multi_terms", `{"multi_terms":{"terms":[{"field":"l"},{"field":"dt"}]}}`},
		{"significant_terms", `{"significant_terms":{"field":"k"}}`},
		{"auto_date_histogram", `{"auto_date_histogram":{"field":"dt","buckets":50}}`},
		{"matrix_stats", `{"matrix_stats":{"fields":["l","d"]}}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			body, err := api.DecodeSearchBody(jsonx.MustParse(`{"aggs":{"A":` + bench.aggs + `}}`))
			if err != nil {
				b.Fatal(err)
			}
			c := &query.Context{Mapping: m}
			b.ReportAllocs()
			for b.Loop() {
				tree, err := Parse(c, body.Aggregations, nil)
				if err != nil {
					b.Fatal(err)
				}
				x := query.NewExec(b.Context(), parts)
				if err := tree.Collect(x, parts[0], some); err != nil {
					b.Fatal(err)
				}
				if err := tree.Finish(x); err != nil {
					b.Fatal(err)
				}
				if _, err := tree.AppendJSON(nil, false); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/size, "ns/value")
		})
	}
}
