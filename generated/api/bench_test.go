package api_test

import (
	"testing"

	"postern/generated/api"
	"postern/internal/jsonx"
	"postern/internal/rest"
)

// typical is a search as applications send it, of 537 bytes.
const typical = `{"query":{"bool":{"must":[{"match":{"title":{"query":"the quick brown fox","operator":"and"}}}],"filter":[{"term":{"status":"published"}},{"range":{"date":{"gte":"2024-01-01","lt":"now/d"}}},{"terms":{"tags":["a","b","c"]}}],"must_not":[{"exists":{"field":"deleted_at"}}],"minimum_should_match":1}},"from":20,"size":10,"sort":[{"date":{"order":"desc"}},"_score"],"_source":{"includes":["title","date"]},"track_total_hits":true,"aggs":{"by_status":{"terms":{"field":"status","size":10},"aggs":{"avg_price":{"avg":{"field":"price"}}}}}}`

func BenchmarkDecodeSearch(b *testing.B) {
	in := &rest.Input{Target: "/i/_search", Body: []byte(typical)}
	b.SetBytes(int64(len(typical)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := api.DecodeSearchRequest(in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseSearch(b *testing.B) {
	body := []byte(typical)
	b.SetBytes(int64(len(typical)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jsonx.Parse(body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeParsedSearch(b *testing.B) {
	v := jsonx.MustParse(typical)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := api.DecodeSearchBody(v); err != nil {
			b.Fatal(err)
		}
	}
}
