package routes_test

import (
	"errors"
	"testing"

	"postern/internal/eserr"
	"postern/internal/rest"
)

// FuzzRequest routes and decodes any request of any endpoint: no panic but that of the
// missing handler, and every refusal is one that a client can be told.
func FuzzRequest(f *testing.F) {
	f.Add("POST", "/i/_search?size=1&sort=a:desc&_source=false", `{"query":{"match_all":{}},"sort":["a",{"b":"desc","_score":{}}],"fields":["*"],"_source":{"includes":"a"}}`)
	f.Add("PUT", "/i/_doc/%C3%A4?refresh=wait_for", `{"a":1}`)
	f.Add("GET", "/_mget", `{"docs":[{"_id":1,"_index":"i"}]}`)
	f.Add("POST", "/i/_update/1", `{"doc":{"a":1},"detect_noop":"false"}`)
	f.Add("GET", "/_cluster/health/a,b?wait_for_status=green&timeout=1ms", ``)
	f.Add("GET", "/_cat/indices?v&h=index,docs.count&s=index:desc&bytes=kb", ``)
	f.Add("DELETE", "//a/%2f/_x?", `[]`)
	f.Add("GET", "/_analyze", `{"text":["a"],"tokenizer":{"type":"standard"}}`)
	f.Add("GET", "/i/_count?q=a", `{"query":{"term":{"k":"a"}}}`)
	table := trie()
	f.Fuzz(func(t *testing.T, method, target, body string) {
		err := ask(table, method, target, body)
		if err == nil {
			return
		}
		if e, ok := eserr.As(err); ok {
			if e.Status < 400 || e.Type == "" {
				t.Fatalf("%s %s %q: %v", method, target, body, err)
			}
			return
		}
		var none *rest.NoHandler
		var wrong *rest.MethodNotAllowed
		if !errors.As(err, &none) && !errors.As(err, &wrong) && !errors.Is(err, errEscape) {
			t.Fatalf("%s %s %q: %v", method, target, body, err)
		}
	})
}
