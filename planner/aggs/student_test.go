package aggs

import (
	"math"
	"testing"
)

// The values are those of tables of Student's distribution.
func TestTwoTailed(t *testing.T) {
	for _, c := range []struct{ t, freedom, want float64 }{
		{12.706, 1, 0.05}, {2.776, 4, 0.05}, {2.228, 10, 0.05}, {3.169, 10, 0.01}, {1.984, 100, 0.05}, {0, 7, 1}, {1, 1, 0.5},
	} {
		if got := twoTailed(c.t, c.freedom); math.Abs(got-c.want) > 2e-4*math.Max(c.want, 0.1) {
			t.Errorf("t %v, %v degrees: %v, want %v", c.t, c.freedom, got, c.want)
		}
		if twoTailed(-c.t, c.freedom) != twoTailed(c.t, c.freedom) {
			t.Errorf("t %v is not symmetric", c.t)
		}
	}
}
