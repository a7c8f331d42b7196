package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"postern/conformance/engines/qdranttest"
	"postern/conformance/engines/valkeytest"
)

// Two gateways write and search in turn. Whatever is asked, of whichever, is what the same
// question is answered by when nothing may be kept.
func TestKeptAnswersAreTrue(t *testing.T) {
	both := []string{"--qdrant", qdranttest.Start(t).Addr, "--valkey", valkeytest.Start(t).Addr}
	gateways := []*server{start(t, both...), start(t, both...), start(t, append(both, "--cache-serve=off")...)}
	rng := rand.New(rand.NewPCG(1, 1))
	url := func() string { return gateways[rng.IntN(len(gateways))].url }
	status, body := ask(t, "PUT", url()+"/books", `{"mappings":{"properties":{"n":{"type":"integer"},"k":{"type":"keyword"},"t":{"type":"text"}}}}`)
	want(t, "the index", status, body, 200, "books")
	questions := []string{
		`{"query":{"match_all":{}},"sort":["n"]}`, `{"query":{"range":{"n":{"gte":3}}},"sort":[{"n":"desc"}],"size":3}`,
		`{"size":0,"track_total_hits":true,"aggs":{"k":{"terms":{"field":"k"}}}}`, `{"query":{"match":{"t":"a b"}}}`,
		`{"size":0,"aggs":{"m":{"max":{"field":"n"}}},"query":{"term":{"k":"k1"}}}`, `{"query":{"term":{"k":"k1"}},"_source":false,"docvalue_fields":["n"]}`,
		`{"query":{"term":{"k":"k1"}},"_source":false}`, `{"query":{"term":{"k":"k1"}},"from":1}`,
	}
	took := regexp.MustCompile(`"took":\d+`)
	for i := range 150 {
		if rng.IntN(4) == 0 {
			id := rng.IntN(12)
			if rng.IntN(5) == 0 {
				ask(t, "DELETE", fmt.Sprint(url(), "/books/_doc/", id), "")
			} else {
				ask(t, "PUT", fmt.Sprint(url(), "/books/_doc/", id), fmt.Sprintf(`{"n":%d,"k":"k%d","t":"a %d b"}`, rng.IntN(10), rng.IntN(3), i))
			}
			continue
		}
		q := questions[rng.IntN(len(questions))]
		_, fresh := ask(t, "POST", url()+"/books/_search?request_cache=false", q)
		for range 2 {
			if _, got := ask(t, "POST", url()+"/books/_search", q); took.ReplaceAllString(got, "") != took.ReplaceAllString(fresh, "") {
				t.Fatalf("%s\n got %s\nwant %s", q, got, fresh)
			}
		}
		_, count := ask(t, "POST", url()+"/books/_count", `{"query":{"term":{"k":"k1"}}}`)
		_, total := ask(t, "POST", url()+"/books/_search?request_cache=false&filter_path=hits.total.value&size=0", `{"query":{"term":{"k":"k1"}}}`)
		n := regexp.MustCompile(`\d+`)
		if n.FindString(count) != n.FindString(total) {
			t.Fatalf("counted %s, found %s", count, total)
		}
	}
}
