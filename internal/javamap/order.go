// Package javamap knows the order in which a Java HashMap gives its keys, which is the
// order of many members of Elasticsearch's answers.
package javamap

import (
	"cmp"
	"slices"
	"unicode/utf16"
)

// Order gives, for keys that computeIfAbsent brings into an empty HashMap one after the
// other, their places in the order of iteration.
func Order(keys []string) []int {
	capacity := grown(len(keys))
	buckets := make([]uint32, len(keys))
	order := make([]int, len(keys))
	for i, k := range keys {
		buckets[i], order[i] = bucket(k, capacity), i
	}
	// In a bucket the latest key comes first.
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(buckets[a], buckets[b]), cmp.Compare(b, a)) })
	return order
}

// Sort sorts keys as a HashMap that they were put into one by one iterates over them. Keys
// that are not among them were put into it, too: put counts all. Those copied have been
// copied into a map of just their size.
func Sort(keys []string, put int, copied bool) {
	put = max(put, len(keys))
	slices.Sort(keys)
	byBucket(keys, grown(put))
	if copied {
		capacity := uint32(1)
		for float64(capacity) < float64(put)/0.75+1 {
			capacity *= 2
		}
		byBucket(keys, capacity)
	}
}

func byBucket(keys []string, capacity uint32) {
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(bucket(a, capacity), bucket(b, capacity)) })
}

// grown is the capacity of a map that n keys were put into.
func grown(n int) uint32 {
	capacity := uint32(16)
	for 4*n > 3*int(capacity) {
		capacity *= 2
	}
	return capacity
}

func bucket(key string, capacity uint32) uint32 {
	h := hash(key)
	return (h ^ h>>16) & (capacity - 1)
}

// hash is String.hashCode.
func hash(s string) (h uint32) {
	for _, u := range utf16.Encode([]rune(s)) {
		h = h*31 + uint32(u)
	}
	return h
}
