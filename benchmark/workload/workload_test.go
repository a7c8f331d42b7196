package workload

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"postern/benchmark/corpus"
)

// Each check must refuse a wrong answer: an empty one is wrong for every workload.
func TestChecksRefuseWrongAnswers(t *testing.T) {
	c := corpus.NewCatalogue(2000, 1)
	all := append(OfCatalogue("i", c), WriteRead("i"), WriteCount("i"), Mixed("i", 100))
	for _, w := range all {
		for _, r := range w.Make(Step{Unique: 3}) {
			for _, answer := range []string{
				`{"took":1,"timed_out":false,"hits":{"total":{"value":0,"relation":"eq"},"hits":[]},"aggregations":{}}`,
				`{"_id":"other","result":"noop","count":7}`, `{`,
			} {
				if err := r.Check([]byte(answer)); err == nil {
					t.Errorf("%s: %s passes", w.Name, answer)
				}
			}
		}
	}
}

func TestColdRequestsNeverRepeat(t *testing.T) {
	c := corpus.NewCatalogue(2000, 1)
	for _, w := range OfCatalogue("i", c) {
		seen := map[string]bool{}
		for n := range 1500 {
			r := w.Make(Step{Unique: n})[0]
			text := r.Path + string(r.Body)
			if seen[text] {
				t.Fatalf("%s: operation %d was there before: %s", w.Name, n, text)
			}
			seen[text] = true
			if r.Body != nil && !json.Valid(r.Body) {
				t.Fatalf("%s: not JSON: %s", w.Name, r.Body)
			}
		}
		if w := Warm(w); !bytes.Equal(w.Make(Step{Unique: 1})[0].Body, w.Make(Step{Unique: 2})[0].Body) {
			t.Errorf("%s: warm requests differ", w.Name)
		}
	}
}

func TestWalkCoversEveryProductOnce(t *testing.T) {
	c := corpus.NewCatalogue(3000, 1)
	w := Walk("i", c)
	cursors := map[string]bool{}
	for n := range 3 {
		_, cursor, _ := strings.Cut(string(w.Make(Step{Unique: n})[0].Body), "search_after")
		cursors[cursor] = true
	}
	if len(cursors) != 3 {
		t.Errorf("the pages of a walk start at %v", cursors)
	}
}

func TestSpreadIsAPermutation(t *testing.T) {
	for _, size := range []int{1, 2, 10, 97, 1000, 10_000} {
		seen := make([]bool, size)
		for n := range size {
			seen[spread(n, size)] = true
		}
		for v, ok := range seen {
			if !ok {
				t.Fatalf("size %d: %d is never taken", size, v)
			}
		}
	}
}

func TestMixesKeepTheirShare(t *testing.T) {
	w := Mixed("i", 20, Read("i", corpus.NewCatalogue(10, 1)))
	writes := 0
	for n := range 1000 {
		if w.Class(Step{Unique: n}) == "writes" {
			writes++
		}
	}
	if writes != 200 {
		t.Errorf("%d writes of 1000", writes)
	}
}
