package planner

import (
	"encoding/json"
	"strings"
	"testing"

	"postern/internal/metadata"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

// TestProfileTellsTheWay looks for what a profile says of each way of answering.
func TestProfileTellsTheWay(t *testing.T) {
	m, ix := shop(t, 500)
	for _, c := range []struct {
		name, body string
		documents  int64
		want       []string
	}{
		{"push", `{"profile":true,"query":{"bool":{"filter":[{"term":{"brand":"brand3"}}]}},"sort":["price"],"size":2,"aggs":{"b":{"terms":{"field":"brand"}}}}`, 1e6,
			[]string{`"type":"push","description":"bool(`, `exact: brand:[\"brand3\"]`, `"type":"push-page","description":"first 3 of brand:[\"brand3\"] by price asc"`,
				`"type":"push-facets"`, `"type":"push-counts"`, `"name":"SimpleFieldCollector"`, `"type":"terms","description":"b"`, `"fetch":{`}},
		{"scan", `{"profile":true,"query":{"match_phrase":{"title":"word7 word3"}},"sort":["price"]}`, 1e6,
			[]string{`"type":"scan"`, `because of the order of words`, `"type":"push-candidates","description":"scan and(`}},
		{"snapshot", `{"profile":true,"query":{"match":{"title":"word7"}}}`, 1e6,
			[]string{`"type":"snapshot","description":"all documents"`, `not push: scores that depend on the index`, `"score_count":1`, `"name":"SimpleTopScoreDocCollector"`}},
	} {
		engine := &storetest.Engine{Documents: m, Weight: store.Weight{Documents: c.documents}}
		p := &Planner{Documents: engine, Node: "n"}
		a, err := p.Search(t.Context(), []metadata.Resolved{{Index: ix}}, request(t, c.body))
		if err != nil {
			t.Fatal(err)
		}
		answer := string(a.AppendJSON(nil))
		if !json.Valid([]byte(answer)) {
			t.Errorf("%s: no JSON: %s", c.name, answer)
		}
		for _, part := range c.want {
			if !strings.Contains(answer, part) {
				t.Errorf("%s: %s is not in %s", c.name, part, a.Profile)
			}
		}
	}
}
