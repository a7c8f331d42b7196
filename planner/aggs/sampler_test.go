package aggs

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Pruning early leaves the same sample as pruning once.
func TestPruneIsStable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		a := &sampler{size: 1 + rng.IntN(20)}
		once, often := &samplerResult{sampler: a}, &samplerResult{sampler: a}
		for doc := range uint32(300) {
			c := candidate{score: float32(rng.IntN(10)), doc: doc}
			once.found, often.found = append(once.found, c), append(often.found, c)
			if rng.IntN(20) == 0 {
				often.prune()
			}
		}
		once.prune()
		often.prune()
		if !slices.Equal(once.found, often.found) {
			t.Fatalf("size %d: %v, want %v", a.size, often.found, once.found)
		}
	}
}
