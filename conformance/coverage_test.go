package conformance_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/conformance/promises"
	"postern/conformance/suite"
	"postern/spec"
)

// TestPromisesAreRecorded holds support.yaml against the recordings: each promised
// endpoint, query, aggregation and mapping type is exercised by one at least, and each
// thing that a recording says it covers is promised.
func TestPromisesAreRecorded(t *testing.T) {
	support, err := spec.Supported()
	if err != nil {
		t.Fatal(err)
	}
	promised := map[string]bool{}
	for kind, entries := range map[string]map[string]spec.Entry{
		"endpoint": support.Endpoints, "query": support.Queries, "aggregation": support.Aggregations, "mapping": support.Mappings,
	} {
		for name, e := range entries {
			if e.State == spec.Full || e.State == spec.Partial {
				promised[kind+" "+name] = false
			}
		}
	}
	cases, err := suite.Load("recordings")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for _, line := range c.Recording.Covers {
			if _, known := promised[line]; !known {
				t.Errorf("%s covers %q, which support.yaml does not promise", c.Name, line)
			}
			promised[line] = true
		}
		if len(c.Recording.Covers) == 0 && len(c.Recording.Data) == 0 && !strings.HasPrefix(c.Name, "http/") {
			t.Errorf("%s does not say what it covers", c.Name)
		}
	}
	for line, recorded := range promised {
		if !recorded {
			t.Errorf("support.yaml promises %q: no recording covers it", line)
		}
	}
}

var update = flag.Bool("update", false, "write the lists that tests hold")

// TestEveryPromiseIsAsked holds each full or partial line of support.yaml, parameters and
// members too, against the requests of the recordings. unrecorded.txt lists those that no
// request names; it is strict, and shall become empty.
func TestEveryPromiseIsAsked(t *testing.T) {
	support, err := spec.Supported()
	if err != nil {
		t.Fatal(err)
	}
	model, err := spec.Load()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := suite.Load("recordings")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	finder := promises.NewFinder(model, support)
	for _, c := range cases {
		for line := range finder.Exercised(c.Recording) {
			asked[line] = true
		}
	}
	var missing []string
	for _, line := range promises.Lines(support) {
		if !asked[line] {
			missing = append(missing, line)
		}
	}
	const head = "# The promises of spec/support.yaml that no recorded request names yet: go test ./conformance -run EveryPromise -update\n"
	want := head + strings.Join(missing, "\n") + "\n"
	if *update {
		if err := os.WriteFile("unrecorded.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("unrecorded.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(want, "\n")); diff != "" {
		t.Errorf("unrecorded.txt is not what is missing: record what support.yaml promises (-listed +missing):\n%s", diff)
	}
}
