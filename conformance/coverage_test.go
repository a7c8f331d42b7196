package conformance_test

import (
	"strings"
	"testing"

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
