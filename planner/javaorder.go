package planner

import (
	"slices"
	"unicode/utf16"
)

// hashOrder sorts names as a Java HashMap that they were put into one by one iterates
// over them, which is the order in which Elasticsearch writes the fields of a hit.
// Names without values were put into it, too: put counts all. Those of the fields option
// have been copied into a map of just their size.
func hashOrder(names []string, put int, copied bool) {
	slices.Sort(names)
	capacity := uint32(16)
	for float64(max(put, len(names))) > 0.75*float64(capacity) {
		capacity *= 2
	}
	byBucket(names, capacity)
	if copied {
		capacity = 1
		for float64(capacity) < float64(max(put, len(names)))/0.75+1 {
			capacity *= 2
		}
		byBucket(names, capacity)
	}
}

func byBucket(names []string, capacity uint32) {
	bucket := func(name string) int {
		h := javaHash(name)
		return int((h ^ h>>16) & (capacity - 1))
	}
	slices.SortStableFunc(names, func(a, b string) int { return bucket(a) - bucket(b) })
}

// javaHash is String.hashCode.
func javaHash(s string) (h uint32) {
	for _, u := range utf16.Encode([]rune(s)) {
		h = h*31 + uint32(u)
	}
	return h
}
