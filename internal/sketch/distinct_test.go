package sketch

import (
	"math"
	"testing"
)

func mix(z uint64) uint64 {
	z = (z ^ z>>32) * 0x4cd6944c5cc20b6d
	z = (z ^ z>>29) * 0xfc12c5b19d3259e9
	return z ^ z>>32
}

func TestExactUpToTheThreshold(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 17, 2999, 3000} {
		d := NewDistinct(3000)
		for range 3 {
			for i := range n {
				d.Add(mix(uint64(i))) // mix(0) is 0
			}
		}
		if got := d.Count(); got != int64(n) {
			t.Errorf("%d values: %d", n, got)
		}
	}
}

func TestNearBeyondIt(t *testing.T) {
	for _, n := range []int{3001, 20000, 1000000} {
		d := NewDistinct(3000)
		for i := range n {
			d.Add(mix(uint64(i)))
		}
		if off := math.Abs(float64(d.Count())/float64(n) - 1); off > 0.02 {
			t.Errorf("%d values: %d", n, d.Count())
		}
	}
}

// Parts that overlap count what the whole counts.
func TestMerge(t *testing.T) {
	for _, threshold := range []int{0, 10, 100, 5000} {
		for _, size := range []int{3, 60, 900} {
			whole, first, second := NewDistinct(threshold), NewDistinct(threshold), NewDistinct(threshold)
			for i := range size {
				whole.Add(mix(uint64(i)))
				if i < 2*size/3 {
					first.Add(mix(uint64(i)))
				}
				if i > size/3 {
					second.Add(mix(uint64(i)))
				}
			}
			first.Merge(second)
			if first.Count() != whole.Count() {
				t.Errorf("threshold %d, %d values: %d, want %d", threshold, size, first.Count(), whole.Count())
			}
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		d := NewDistinct(3000)
		for i := range uint64(2500) {
			d.Add(mix(i))
		}
	}
}
