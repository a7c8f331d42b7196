package render

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/internal/jsonx"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func parse(t *testing.T, b []byte) jsonx.Value {
	t.Helper()
	v, err := jsonx.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The files hold what Elasticsearch 8.15.0 made of the documents.
func TestPretty(t *testing.T) {
	for _, name := range []string{"source", "fold"} {
		got := append(Pretty(nil, parse(t, read(t, name+".json"))), '\n')
		if diff := cmp.Diff(string(read(t, name+".pretty")), string(got)); diff != "" {
			t.Errorf("%s: (-Elasticsearch +ours)\n%s", name, diff)
		}
	}
}

func TestYAML(t *testing.T) {
	for _, name := range []string{"source", "fold"} {
		got := YAML(nil, parse(t, read(t, name+".json")))
		if diff := cmp.Diff(string(read(t, name+".yaml")), string(got)); diff != "" {
			t.Errorf("%s: (-Elasticsearch +ours)\n%s", name, diff)
		}
	}
	if got := string(YAML(nil, jsonx.MustParse("{}"))); got != "--- {}\n" {
		t.Errorf("%q", got)
	}
}

func TestFilterPath(t *testing.T) {
	var recorded struct {
		Base  string
		Cases []struct{ Filter, Body string }
	}
	if err := json.Unmarshal(read(t, "filter_path.json"), &recorded); err != nil {
		t.Fatal(err)
	}
	base := parse(t, []byte(recorded.Base))
	for _, c := range recorded.Cases {
		got := []byte(recorded.Base)
		if f := ParseFilter(c.Filter); f != nil {
			got = f.Append(nil, base)
		}
		if diff := cmp.Diff(c.Body, string(got)); diff != "" {
			t.Errorf("%s: (-Elasticsearch +ours)\n%s", c.Filter, diff)
		}
	}
}
