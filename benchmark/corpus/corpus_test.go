package corpus

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheSameSeedMakesTheSameCatalogue(t *testing.T) {
	a, b := NewCatalogue(2000, 7), NewCatalogue(2000, 7)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Fatal(diff)
	}
	seen := make([]bool, a.Len())
	for i, rank := range a.Rank {
		if seen[rank] || a.ByRank[rank] != int32(i) {
			t.Fatalf("rank %d of document %d stands twice, or ByRank is wrong", rank, i)
		}
		seen[rank] = true
	}
	if cmp.Equal(NewCatalogue(2000, 8).Price, a.Price) {
		t.Error("another seed gives the same prices")
	}
}

func TestBulksAreLinesOfJSON(t *testing.T) {
	c := NewCatalogue(25, 1)
	lines := 0
	for body := range Bulks(c, 10) {
		for line := range bytes.Lines(body) {
			lines++
			if !json.Valid(line) {
				t.Fatalf("not JSON: %s", line)
			}
		}
	}
	if lines != 50 {
		t.Errorf("%d lines for 25 documents", lines)
	}
}

func TestVocabularyHasNoWordTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range vocabulary() {
		if seen[w] || len(w) != 6 {
			t.Fatalf("%q stands twice or is no three syllables", w)
		}
		seen[w] = true
	}
}

// The documents "x y", "y", "x x" have lengths 2, 1, 2; values from Elasticsearch's formula
// with docCount 3 and avgdl 5/3, worked out by hand.
func TestRankingIsBM25(t *testing.T) {
	c := &Catalogue{Rank: make([]int32, 3), Words: []Text{{0, 1}, {1}, {0, 0}}, Vocabulary: []string{"x", "y"}}
	r := NewRanking(c)
	for _, k := range []struct {
		name string
		got  Best
		want Best
	}{
		// idf = ln(1 + 1.5/2.5) = .4700036; .4700036·2.2·f/(f + 1.2·(.25 + .75·len/1.6667))
		{"x or x", r.Match(9, 0, 0), Best{2, []float64{2 * .6118390, 2 * .4344571}}},
		{"x y", r.Phrase(9, 0, 1), Best{1, []float64{2 * .4344571}}},
	} {
		if k.got.Total != k.want.Total || len(k.got.Scores) != len(k.want.Scores) {
			t.Fatalf("%s: %+v, want %+v", k.name, k.got, k.want)
		}
		for i := range k.got.Scores {
			if d := k.got.Scores[i]/k.want.Scores[i] - 1; d > 1e-5 || d < -1e-5 {
				t.Errorf("%s: score %d is %v, want %v", k.name, i, k.got.Scores[i], k.want.Scores[i])
			}
		}
	}
}
