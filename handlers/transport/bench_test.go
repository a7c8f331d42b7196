package transport

import (
	"context"
	"testing"

	"github.com/valyala/fasthttp"

	"postern/generated/api"
	"postern/generated/routes"
)

// BenchmarkExchange is what HTTP costs a request in this process, without the network:
// routing, headers, parameters, the body, the answer.
func BenchmarkExchange(b *testing.B) {
	answer := raw(hits)
	tr := New(Config{Deadline: 0}, fake{search: func(context.Context, *api.SearchRequest) (routes.Answer, error) { return answer, nil }})
	body := []byte(`{"query":{"term":{"category":{"value":"books"}}},"size":20,"sort":[{"price":"asc"}]}`)
	for name, uri := range map[string]string{"plain": "/books/_search", "parameters": "/books/_search?typed_keys=true&request_cache=false", "pretty": "/books/_search?pretty"} {
		b.Run(name, func(b *testing.B) {
			var c fasthttp.RequestCtx
			b.ReportAllocs()
			for b.Loop() {
				c.Request.Reset()
				c.Response.Reset()
				c.Request.Header.SetMethod("POST")
				c.Request.SetRequestURI(uri)
				c.Request.Header.SetContentType("application/json")
				c.Request.SetBodyRaw(body)
				tr.app.Server().Handler(&c)
				if c.Response.StatusCode() != 200 {
					b.Fatal(string(c.Response.Body()))
				}
			}
		})
	}
}
