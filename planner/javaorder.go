package planner

import (
	"slices"
	"unicode/utf16"
)

// hashOrder sorts names as a Java HashMap of that size iterates over them, which is
// the order in which Elasticsearch writes the fields of a hit.
func hashOrder(names []string) {
	capacity := uint32(16)
	for float64(len(names)) > 0.75*float64(capacity) {
		capacity *= 2
	}
	bucket := make(map[string]uint32, len(names))
	for _, n := range names {
		h := javaHash(n)
		bucket[n] = (h ^ h>>16) & (capacity - 1)
	}
	slices.SortStableFunc(names, func(a, b string) int { return int(bucket[a]) - int(bucket[b]) })
}

// javaHash is String.hashCode.
func javaHash(s string) (h uint32) {
	for _, u := range utf16.Encode([]rune(s)) {
		h = h*31 + uint32(u)
	}
	return h
}
