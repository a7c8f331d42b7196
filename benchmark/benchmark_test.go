package main

import (
	"encoding/json"
	"testing"
)

func TestDatasetIsDeterministicAndRanksAreAPermutation(t *testing.T) {
	a, b := dataset(2000, 7), dataset(2000, 7)
	seen := make([]bool, len(a))
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("document %d differs between two runs of one seed", i)
		}
		if seen[a[i].Rank] {
			t.Fatalf("rank %d stands twice", a[i].Rank)
		}
		seen[a[i].Rank] = true
		if !json.Valid([]byte(a[i].source())) {
			t.Fatalf("document %d is not JSON: %s", i, a[i].source())
		}
	}
	if dataset(2000, 8)[0] == a[0] {
		t.Error("another seed gives the same first document")
	}
}

// Each check must refuse a wrong answer: an empty one is wrong for every workload.
func TestChecksRefuseWrongAnswers(t *testing.T) {
	docs := dataset(2000, 1)
	for _, w := range workloads("i", docs, 1) {
		r := w.make(3)
		if err := r.check([]byte(`{"hits":{"total":{"value":0,"relation":"eq"},"hits":[]},"aggregations":{}}`)); err == nil {
			t.Errorf("%s: an empty answer passes", w.Name)
		}
	}
}

func TestQuantileTakesTheNearestRank(t *testing.T) {
	v := []float64{1, 2, 3, 4}
	for _, c := range []struct{ q, want float64 }{{.5, 2}, {.51, 3}, {.99, 4}, {1, 4}} {
		if got := quantile(v, c.q); got != c.want {
			t.Errorf("quantile(%v) = %v, want %v", c.q, got, c.want)
		}
	}
}
