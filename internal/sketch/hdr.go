package sketch

import (
	"math"
	"slices"
)

// HDR counts non-negative values by their leading bits, as HdrHistogram's DoubleHistogram
// does: of each power of two, it tells so many steps apart as its number of significant
// decimal digits takes.
type HDR struct {
	drop  uint // bits of a double that are not told apart
	cells map[uint64]int64
	total int64
	least float64 // the least value above 0
}

// NewHDR makes an empty histogram of 0 to 5 significant digits.
func NewHDR(digits int) *HDR {
	steps := math.Ceil(math.Log2(2*math.Pow10(digits))) - 1
	return &HDR{drop: 52 - uint(steps), cells: map[uint64]int64{}, least: math.Inf(1)}
}

// Count is the number of values.
func (h *HDR) Count() int64 { return h.total }

// Add takes values; ok is false, and bad the first one, if some are negative.
func (h *HDR) Add(values []float64) (bad float64, ok bool) {
	var cell uint64
	var run int64 // of values in the same cell
	for _, v := range values {
		if v < 0 {
			return v, false
		}
		if v > 0 {
			h.least = min(h.least, v)
		}
		if c := math.Float64bits(v+0) >> h.drop; c != cell {
			h.count(cell, run)
			cell, run = c, 0
		}
		run++
	}
	h.count(cell, run)
	return 0, true
}

func (h *HDR) count(cell uint64, n int64) {
	if n > 0 {
		h.cells[cell] += n
		h.total += n
	}
}

// Merge adds another histogram of as many digits.
func (h *HDR) Merge(o *HDR) {
	h.least = min(h.least, o.least)
	for c, n := range o.cells {
		h.count(c, n)
	}
}

// unit is the step at the least value; all others are multiples of it.
func (h *HDR) unit() float64 {
	exponent := math.Float64bits(h.least) >> 52
	return math.Float64frombits(exponent<<52) * math.Pow(2, -float64(52-h.drop))
}

// Percentiles gives the values at ascending or other percents of all, NaN without values.
func (h *HDR) Percentiles(percents []float64) []float64 {
	out := make([]float64, len(percents))
	cells := h.sorted()
	for i, p := range percents {
		out[i] = h.percentile(cells, p)
	}
	return out
}

func (h *HDR) sorted() []uint64 {
	cells := make([]uint64, 0, len(h.cells))
	for c := range h.cells {
		cells = append(cells, c)
	}
	slices.Sort(cells)
	return cells
}

func (h *HDR) percentile(cells []uint64, percent float64) float64 {
	if h.total == 0 {
		return math.NaN()
	}
	at := max(1, int64(min(percent, 100)/100*float64(h.total)+0.5))
	for _, c := range cells {
		if at -= h.cells[c]; at > 0 {
			continue
		}
		low := math.Float64frombits(c << h.drop)
		if percent == 0 || c == 0 {
			return low
		}
		// The greatest value of the cell, counted in units.
		return math.Float64frombits((c+1)<<h.drop) - h.unit()
	}
	return math.NaN()
}

// Rank is the percentage of the values up to v, in the precision of the histogram; NaN
// without values.
func (h *HDR) Rank(v float64) float64 {
	if h.total == 0 {
		return math.NaN()
	}
	var below int64
	if v >= 0 {
		last := math.Float64bits(v+0) >> h.drop
		for c, n := range h.cells {
			if c <= last {
				below += n
			}
		}
	}
	return 100 * float64(below) / float64(h.total)
}
