package planner

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"postern/internal/metadata"
	"postern/internal/xcontent"
)

// TestScrollIsOneSearchInPages compares the pages of a scroll, joined, with the search
// that it is, with each rule switched off in turn.
func TestScrollIsOneSearchInPages(t *testing.T) {
	var lines strings.Builder
	for i := range 200 {
		fmt.Fprintf(&lines, "%s %d {\"n\":%d,\"k\":\"%c\",\"t\":\"%s\"}\n", []string{"a", "b"}[i%2], i, i*7919%23, 'a'+rune(i%5), strings.Repeat("fox ", 1+i%3))
	}
	p, c, ix := library(t, map[string]string{"a": books, "b": books}, lines.String())
	targets := []metadata.Resolved{ix["b"], ix["a"]}
	for _, body := range []string{
		`{}`,
		`{"sort":["_doc"]}`,
		`{"sort":[{"_doc":"desc"}]}`,
		`{"sort":["n"]}`,
		`{"sort":[{"n":"desc"},"k"]}`,
		`{"sort":["k"],"query":{"range":{"n":{"gte":3}}}}`,
		`{"query":{"match":{"t":"fox"}}}`,
		`{"query":{"term":{"k":"c"}},"sort":["_doc"]}`,
	} {
		all := strings.Replace(body, "{", `{"size":10000,"track_total_hits":true,`, 1)
		if body == `{}` {
			all = `{"size":10000,"track_total_hits":true}`
		}
		want, _ := ask(t, p, all, targets...)
		for _, off := range append([]Rule{ruleCount}, AllRules()...) {
			p.Rules = RuleSet{}.Without(off)
			if got := scrollAll(t, p, body, targets); got != want {
				t.Errorf("%s without %v:\n%s, want\n%s", body, off, got, want)
			}
		}
		p.Rules = RuleSet{}
	}
	if c.taken != 0 {
		t.Errorf("%d snapshots were not released", c.taken)
	}
}

// scrollAll reads a scroll to its end.
func scrollAll(t *testing.T, p *Planner, body string, targets []metadata.Resolved) string {
	t.Helper()
	r := request(t, body)
	seven := 7
	r.Scroll, r.Size = &minute, &seven
	a, s, err := p.OpenScroll(context.Background(), targets, r)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	defer s.Release()
	var hits []string
	for len(a.Hits) > 0 {
		for _, h := range a.Hits {
			hits = append(hits, h.Index+h.ID+string(h.Sort))
		}
		total := a.Total
		if a, err = s.Next(context.Background(), false); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if a.Total != total {
			t.Fatalf("%s: total %v after %v", body, a.Total, total)
		}
	}
	return strings.Join(hits, " ")
}

var minute = xcontent.Duration{Text: "1m", D: time.Minute}
