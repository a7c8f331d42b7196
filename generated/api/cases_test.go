package api_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/rest"
)

// exchange is one recorded exchange with real Elasticsearch 8.15.0. Those that only the
// shards refuse are recorded as taken.
type exchange struct {
	Case   string         `json:"case"`
	Method string         `json:"method"`
	Path   string         `json:"path"`
	Body   string         `json:"body"`
	Status int            `json:"status"`
	Error  map[string]any `json:"error"`
	// Differs says why the reason differs; status and type do not.
	Differs string `json:"differs"`
}

func exchanges(t testing.TB, pattern string) []exchange {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded cases: %v", err)
	}
	var all []exchange
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for in := bufio.NewScanner(f); in.Scan(); {
			var e exchange
			if err := json.Unmarshal(in.Bytes(), &e); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all = append(all, e)
		}
		f.Close()
	}
	return all
}

// TestSearchAsRecorded decodes search bodies: what Elasticsearch took is taken, what
// it refused is refused with the same error object, to the column.
func TestSearchAsRecorded(t *testing.T) {
	for _, x := range exchanges(t, "../../spec/cases/*.jsonl") {
		t.Run(x.Case, func(t *testing.T) {
			_, err := api.DecodeSearchRequest(&rest.Input{Target: x.Path, Body: []byte(x.Body)})
			compare(t, x, err)
		})
	}
}

// TestHeadersAsRecorded decodes the headers of _msearch.
func TestHeadersAsRecorded(t *testing.T) {
	for _, x := range exchanges(t, "../../spec/cases/lines/msearch.jsonl") {
		t.Run(x.Case, func(t *testing.T) {
			_, err := api.DecodeMultisearchHeader(jsonx.MustParse(x.Body))
			compare(t, x, err)
		})
	}
}

// compare holds an error against the recorded one.
func compare(t *testing.T, x exchange, err error) {
	t.Helper()
	if x.Error == nil {
		if err != nil {
			t.Fatalf("%s\nElasticsearch takes it; got %v", x.Body, err)
		}
		return
	}
	if err == nil {
		t.Fatalf("%s\ntaken; Elasticsearch says %v", x.Body, x.Error)
	}
	e, ok := eserr.As(err)
	if !ok {
		t.Fatalf("%s\nnot an Elasticsearch error: %v", x.Body, err)
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
		t.Errorf("%s\n-Elasticsearch +Postern\n%s", x.Body, diff)
	}
	if got.Status != x.Status {
		t.Errorf("%s\nstatus %d, Elasticsearch %d", x.Body, got.Status, x.Status)
	}
}
