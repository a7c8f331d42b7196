package sketch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Beyond the exact range quantiles and ranks stay within a per cent of the truth, merged
// or not.
func TestQuantilesApproximate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	all := make([]float64, 50000)
	for i := range all {
		all[i] = rng.ExpFloat64() * 100
	}
	one, a, b := NewQuantiles(100, false), NewQuantiles(100, false), NewQuantiles(100, false)
	one.Add(all)
	a.Add(all[:1000])
	b.Add(all[1000:])
	a.Merge(b)
	slices.Sort(all)
	for _, q := range []*Quantiles{one, a} {
		if q.digest == nil || q.Count() != int64(len(all)) {
			t.Fatalf("%d values, digest %v", q.Count(), q.digest != nil)
		}
		for _, p := range []float64{0, 0.01, 0.25, 0.5, 0.9, 0.99, 1} {
			want := all[int(p*float64(len(all)-1))]
			got := q.Quantile(p)
			if rank, _ := slices.BinarySearch(all, got); math.Abs(float64(rank)/float64(len(all))-p) > 0.01 {
				t.Errorf("quantile %g is %g, not about %g", p, got, want)
			}
			if r := q.Rank(want); math.Abs(r-p) > 0.01 {
				t.Errorf("rank of %g is %g, not about %g", want, r, p)
			}
		}
		// The median of |x - ln 2| of an exponential distribution is 0.4812 of its mean.
		if d := q.MedianDeviation(); math.Abs(d-48.12) > 1 {
			t.Errorf("median deviation %g", d)
		}
	}
}

// The greatest value of a cell is told, and never one that lies further off than the
// digits allow.
func TestHDRPrecision(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	all := make([]float64, 10000)
	for i := range all {
		all[i] = math.Exp(rng.Float64()*30 - 10)
	}
	for digits := range 6 {
		h, half := NewHDR(digits), NewHDR(digits)
		h.Add(all[:5000])
		half.Add(all[5000:])
		h.Merge(half)
		sorted := slices.Sorted(slices.Values(all))
		for i, got := range h.Percentiles([]float64{0, 10, 50, 99, 100}) {
			at := []int{0, 999, 4999, 9899, 9999}[i]
			want := sorted[at]
			if off := math.Abs(got/want - 1); off > math.Pow10(-digits) {
				t.Errorf("%d digits: %g for %g", digits, got, want)
			}
		}
		if r := h.Rank(sorted[4999]); math.Abs(r-50) > 50*math.Pow10(-digits) {
			t.Errorf("%d digits: rank %g", digits, r)
		}
	}
	if bad, ok := NewHDR(3).Add([]float64{1, -2}); ok || bad != -2 {
		t.Errorf("%g %v", bad, ok)
	}
}
