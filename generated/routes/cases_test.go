package routes_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/rest"
)

// exchange is one recorded exchange with real Elasticsearch 8.15.0.
type exchange struct {
	Case    string         `json:"case"`
	Method  string         `json:"method"`
	Path    string         `json:"path"`
	Body    string         `json:"body"`
	Status  int            `json:"status"`
	Error   map[string]any `json:"error"`
	Differs string         `json:"differs"`
}

// server stands for the handlers: a request that reaches it was taken.
type server struct{ routes.Server }

// ask routes and decodes a request; taken tells that a handler would have got it.
func ask(trie *rest.Trie[routes.Route], method, target, body string) (err error) {
	path, query, _ := strings.Cut(target, "?")
	route, in, err := trie.Find(method, path, target)
	if err != nil {
		return err
	}
	for _, p := range strings.Split(query, "&") {
		if p == "" {
			continue
		}
		name, value, _ := strings.Cut(p, "=")
		if value, err = url.QueryUnescape(value); err != nil {
			return errEscape
		}
		in.Query = append(in.Query, rest.Param{Name: name, Value: value})
	}
	in.Body = []byte(body)
	if route.Call == nil {
		return rest.RefusedEndpoint(route.Endpoint)
	}
	defer func() {
		if r := recover(); r != nil {
			if _, isNil := r.(interface{ RuntimeError() }); !isNil {
				panic(r)
			}
		}
	}()
	_, err = route.Call(context.Background(), server{}, in)
	return err
}

// errEscape is the HTTP layer's business.
var errEscape = errors.New("a bad escape in the URL's parameters")

func trie() *rest.Trie[routes.Route] { return routes.NewTrie() }

// TestRequestsAsRecorded routes and decodes whole requests: parameters and bodies.
func TestRequestsAsRecorded(t *testing.T) {
	table := trie()
	files, err := filepath.Glob("../../spec/cases/rest/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded cases: %v", err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for in := bufio.NewScanner(f); in.Scan(); {
			var x exchange
			if err := json.Unmarshal(in.Bytes(), &x); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			t.Run(x.Case, func(t *testing.T) { check(t, table, x) })
		}
	}
}

func check(t *testing.T, table *rest.Trie[routes.Route], x exchange) {
	request := x.Method + " " + x.Path + " " + x.Body
	err := ask(table, x.Method, x.Path, x.Body)
	if x.Error == nil {
		if err != nil {
			t.Fatalf("%s\nElasticsearch takes it; got %v", request, err)
		}
		return
	}
	if err == nil {
		t.Fatalf("%s\ntaken; Elasticsearch says %v", request, x.Error)
	}
	e, ok := eserr.As(err)
	if !ok {
		t.Fatalf("%s\nnot an Elasticsearch error: %v", request, err)
	}
	var got struct {
		Error  map[string]any `json:"error"`
		Status int            `json:"status"`
	}
	if err := json.Unmarshal(e.AppendJSON(nil), &got); err != nil {
		t.Fatal(err)
	}
	if x.Differs != "" {
		x.Error = map[string]any{"type": x.Error["type"]}
		got.Error = map[string]any{"type": got.Error["type"]}
	}
	if diff := cmp.Diff(x.Error, got.Error); diff != "" {
		t.Errorf("%s\n-Elasticsearch +Postern\n%s", request, diff)
	}
	if got.Status != x.Status {
		t.Errorf("%s\nstatus %d, Elasticsearch %d", request, got.Status, x.Status)
	}
}

func tableOf() []routes.Route { return routes.Table() }
