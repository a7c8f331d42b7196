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
	capacity := uint32(16)
	for 4*len(keys) > 3*int(capacity) {
		capacity *= 2
	}
	bucket := make([]uint32, len(keys))
	order := make([]int, len(keys))
	for i, k := range keys {
		h := hash(k)
		bucket[i], order[i] = (h^h>>16)&(capacity-1), i
	}
	// In a bucket the latest key comes first.
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(bucket[a], bucket[b]), cmp.Compare(b, a)) })
	return order
}

// hash is String.hashCode.
func hash(s string) (h uint32) {
	for _, u := range utf16.Encode([]rune(s)) {
		h = h*31 + uint32(u)
	}
	return h
}
