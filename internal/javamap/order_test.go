package javamap

import (
	"slices"
	"testing"
)

// The orders were printed by a HashMap of Java 17 that had been given the sorted keys.
func TestAsJava(t *testing.T) {
	for _, want := range [][]string{
		{"s", "c", "d", "i", "k", "m", "n"},
		{"BB", "Aa", "", "a>b", "price", "😀", "count", "ähre"},
		{"zz", "b1", "b2", "a1", "b3", "a2", "b4", "a3", "a4", "a5", "a6", "a7", "a8", "a9"},
	} {
		put := slices.Sorted(slices.Values(want))
		var got []string
		for _, i := range Order(put) {
			got = append(got, put[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
