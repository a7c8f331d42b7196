package routes_test

import (
	"context"
	"testing"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/rest"
)

// getter answers GET and nothing else.
type getter struct{ routes.Server }

func (getter) Get(context.Context, *api.GetRequest) (routes.Answer, error) { return nil, nil }

// BenchmarkRouteAndDecode is what a read by id costs before its handler.
func BenchmarkRouteAndDecode(b *testing.B) {
	table := trie()
	query := []rest.Param{{Name: "_source_includes", Value: "a,b"}, {Name: "realtime", Value: "true"}}
	b.ReportAllocs()
	for b.Loop() {
		route, in, err := table.Find("GET", "/movies/_doc/a%2Fb", "/movies/_doc/a%2Fb?realtime=true")
		if err != nil {
			b.Fatal(err)
		}
		in.Query = query
		if _, err := route.Call(context.Background(), getter{}, in); err != nil {
			b.Fatal(err)
		}
	}
}
