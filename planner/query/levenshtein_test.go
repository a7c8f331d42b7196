package query

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// editDistance is the textbook's table, without bounds and without sharing rows.
func editDistance(a, b []rune, transposed bool) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0:
				rows[i][j] = j
				continue
			case j == 0:
				rows[i][j] = i
				continue
			}
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if transposed && i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

// Walking sorted terms with shared rows finds what measuring each term alone finds.
func TestDistancesOfSortedTerms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(rand.Uint64(), 7))
	letters := []rune("abcé")
	word := func(n int) string {
		w := make([]rune, rnd.IntN(n))
		for i := range w {
			w[i] = letters[rnd.IntN(len(letters))]
		}
		return string(w)
	}
	hits := 0
	for range 200 {
		terms := make([]string, 120)
		for i := range terms {
			terms[i] = word(7)
		}
		slices.Sort(terms)
		text, limit, transposed := word(7), 1+rnd.IntN(2), rnd.IntN(2) == 0
		table := newDistances([]rune(text), limit, transposed)
		for _, term := range terms {
			want := editDistance([]rune(term), []rune(text), transposed)
			dead, got := table.of(term)
			switch {
			case want > limit && (dead >= 0 || got > limit):
			case want <= limit && dead < 0 && got == want:
				hits++
			default:
				t.Fatalf("%q to %q within %d (transpositions %v): got %d, dead at %d, want %d", text, term, limit, transposed, got, dead, want)
			}
		}
	}
	if hits < 100 {
		t.Errorf("only %d terms were near", hits)
	}
}
