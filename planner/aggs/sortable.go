package aggs

import "math"

// sortable is a double as a long that sorts like it.
func sortable(v float64) int64 {
	b := int64(math.Float64bits(v))
	return b ^ b>>63&math.MaxInt64
}

// unsortable is the double that sortable was given.
func unsortable(k int64) float64 { return math.Float64frombits(uint64(k ^ k>>63&math.MaxInt64)) }
