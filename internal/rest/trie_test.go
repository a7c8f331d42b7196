package rest_test

import (
	"errors"
	"fmt"
	"testing"

	"postern/internal/eserr"
	"postern/internal/rest"
)

func table() *rest.Trie[string] {
	t := rest.NewTrie[string]()
	for _, r := range [][2]string{
		{"GET", "/"}, {"GET", "/_search"}, {"POST", "/{index}/_search"}, {"GET", "/{index}"}, {"PUT", "/{index}/_doc/{id}"},
		{"GET", "/_cat/indices"}, {"GET", "/_cat/indices/{index}"}, {"GET", "/{index}/_settings/{name}"}, {"GET", "/_nodes/{metric}"},
		{"POST", "/_nodes/reload"}, {"GET", "/_cat/{what}"},
	} {
		name := r[0] + " " + r[1]
		t.Add(r[0], r[1], &name)
	}
	return t
}

func TestFind(t *testing.T) {
	trie := table()
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/", "GET / []"},
		{"GET", "", "GET / []"},
		{"GET", "/_search", "GET /_search []"},
		{"GET", "/_search/", "GET /_search []"},
		{"POST", "/a,b/_search", "POST /{index}/_search [{index a,b}]"},
		{"PUT", "/i/_doc/a%2Fb%20c+d", "PUT /{index}/_doc/{id} [{index i} {id a/b c+d}]"},
		{"GET", "/_cat/indices/x", "GET /_cat/indices/{index} [{index x}]"},
		{"GET", "/_cat", "GET /{index} [{index _cat}]"}, // no route ends there
		// a literal that leads nowhere does not hide the parameter
		{"GET", "/_nodes/http", "GET /_nodes/{metric} [{metric http}]"},
		{"GET", "/_cat/x", "GET /_cat/{what} [{what x}]"},
		{"GET", "/i/_settings/x", "GET /{index}/_settings/{name} [{index i} {name x}]"},
	} {
		v, in, err := trie.Find(c.method, c.path, c.path)
		if err != nil {
			t.Errorf("%s %s: %v", c.method, c.path, err)
			continue
		}
		if got := fmt.Sprint(*v, " ", in.Path); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
		if in.Method != c.method || in.Target != c.path {
			t.Errorf("%s %s: %s %s", c.method, c.path, in.Method, in.Target)
		}
	}
}

func TestFindRefuses(t *testing.T) {
	trie := table()
	for _, c := range []struct{ method, path, want string }{
		{"DELETE", "/_cat/indices", "Incorrect HTTP method for uri [/_cat/indices] and method [DELETE], allowed: [GET]"},
		// a path that a literal leads to is that path, whatever a parameter would allow
		{"DELETE", "/_nodes/reload", "Incorrect HTTP method for uri [/_nodes/reload] and method [DELETE], allowed: [POST]"},
		{"PUT", "/_search", "Incorrect HTTP method for uri [/_search] and method [PUT], allowed: [GET]"},
		{"GET", "//_search", "Incorrect HTTP method for uri [//_search] and method [GET], allowed: [POST]"},
		{"GET", "/a/b/c/d", "no handler found for uri [/a/b/c/d] and method [GET]"},
		{"PUT", "/i/_doc/%zz", "illegal_argument_exception: invalid escape sequence `%zz' at index 8 of: /i/_doc/%zz"},
		{"PUT", "/i/_doc/%2", "illegal_argument_exception: unterminated escape sequence at end of string: /i/_doc/%2"},
	} {
		_, _, err := trie.Find(c.method, c.path, c.path)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s %s: %v, want %s", c.method, c.path, err, c.want)
		}
	}
	_, _, err := trie.Find("DELETE", "/_search", "/_search")
	var wrong *rest.MethodNotAllowed
	if !errors.As(err, &wrong) || len(wrong.Allow) == 0 {
		t.Errorf("the allowed methods are missing: %v", err)
	}
}

func TestParameters(t *testing.T) {
	var b bool
	if err := rest.Bool(&b, rest.Param{Name: "v"}); err != nil || !b {
		t.Errorf("a parameter without a value is %v, %v", b, err)
	}
	var list []string
	for text, want := range map[string]string{"a,b": "[a b]", "a,,b,,": "[a  b]", "": "[]", ",": "[]"} {
		if err := rest.List(&list, rest.Param{Value: text}); err != nil || fmt.Sprint(list) != want {
			t.Errorf("%q is %v, %v", text, list, err)
		}
	}
	var n int
	err := rest.Int(&n, rest.Param{Name: "size", Value: "3000000000"})
	if e, ok := eserr.As(err); !ok || e.Reason != "Failed to parse int parameter [size] with value [3000000000]" {
		t.Errorf("beyond 32 bits: %v", err)
	}
	for text, ok := range map[string]bool{"all": true, "2": true, "-1": false, "x": false} {
		var shards string
		if err := rest.ActiveShards(&shards, rest.Param{Value: text}); (err == nil) != ok {
			t.Errorf("ActiveShards %s: %v", text, err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	trie := table()
	for b.Loop() {
		if _, _, err := trie.Find("PUT", "/i/_doc/1", ""); err != nil {
			b.Fatal(err)
		}
	}
}
