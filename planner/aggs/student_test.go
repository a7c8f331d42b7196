package aggs

import (
	"math"
	"testing"
)

// The values are those of tables of Student's distribution.
func TestTwoTailed(t *testing.T) {
	for _, c := range []struct{ t, freedom, want float64 }{
		{12.7062047362, 1, 0.05}, {2.7764451052, 4, 0.05}, {2.2281388520, 10, 0.05}, {3.1692726676, 10, 0.01}, {1.9839715185, 100, 0.05}, {0, 7, 1}, {1, 1, 0.5},
	} {
		if got := twoTailed(c.t, c.freedom); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("t %v, %v degrees: %v, want %v", c.t, c.freedom, got, c.want)
		}
		if twoTailed(-c.t, c.freedom) != twoTailed(c.t, c.freedom) {
			t.Errorf("t %v is not symmetric", c.t)
		}
	}
}
