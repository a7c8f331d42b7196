package javamap

import (
	"slices"
	"testing"
)

// The orders were printed by a HashMap of Java 17.
func TestAsJava(t *testing.T) {
	for _, want := range [][]string{
		{"s", "t", "m"},
		{"", "Aa", "BB", "a>b", "price", "count", "😀", "ähre"},
		{"zz", "b1", "a1", "b2", "a2", "b3", "a3", "b4", "a4", "a5", "a6", "a7", "a8", "a9"},
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
