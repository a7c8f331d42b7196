package aggs

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"postern/generated/api"
	"postern/internal/jsonx"
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
