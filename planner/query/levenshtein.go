package query

import (
	"strconv"
	"unicode/utf8"
)

// fuzzy finds the terms within some edits of a text: characters inserted, deleted,
// replaced and, if allowed, neighbours exchanged. Its first characters must be the same.
type fuzzy struct {
	text       string
	edits      int
	prefix     int // characters
	transposed bool
}

func (f *fuzzy) appendKey(dst []byte) []byte {
	dst = appendQuoted(append(dst, "fuzzy:"...), f.text)
	dst = strconv.AppendInt(append(dst, '~'), int64(f.edits), 10)
	dst = strconv.AppendInt(append(dst, '/'), int64(f.prefix), 10)
	return strconv.AppendBool(dst, f.transposed)
}

// find walks the dictionary as a tree: the rows of a term's distance table are kept for
// the next term as far as both begin alike, and terms whose beginning is too far
// already are passed over.
func (f *fuzzy) find(x *Exec, d dict, found func(uint32, float32)) error {
	if f.edits == 0 {
		if ord, ok := d.Lookup(f.text); ok {
			found(ord, 1)
		}
		return nil
	}
	wanted := []rune(f.text)
	same := min(f.prefix, len(wanted))
	prefix := string(wanted[:same])
	t := newDistances(wanted[same:], f.edits, f.transposed)
	return scan(x, d, prefix, func(o uint32, term string) uint32 {
		dead, distance := t.of(term[len(prefix):])
		switch {
		case dead >= 0:
			return after(d, o, term, len(prefix)+dead)
		case distance == 0:
			found(o, 1)
		case distance <= f.edits:
			shorter := min(len(wanted), same+t.length())
			found(o, max(0, 1-float32(distance)/float32(shorter)))
		}
		return o + 1
	})
}

// distances is the table of edit distances between a text and one term after another.
type distances struct {
	text       []rune
	limit      int
	transposed bool
	term       string
	chars      []rune // of term, as far as rows go
	ends       []int  // where in term each of them ends
	rows       [][]int
}

func newDistances(text []rune, limit int, transposed bool) *distances {
	first := make([]int, len(text)+1)
	for i := range first {
		first[i] = i
	}
	return &distances{text: text, limit: limit, transposed: transposed, rows: [][]int{first}}
}

// length is the number of the last term's characters.
func (t *distances) length() int { return len(t.chars) }

// of gives the distance of a term, or after how many of its bytes it is already beyond
// the limit whatever follows.
func (t *distances) of(term string) (dead, distance int) {
	keep := 0
	for keep < len(t.ends) && t.ends[keep] <= len(term) && term[:t.ends[keep]] == t.term[:t.ends[keep]] {
		keep++
	}
	t.chars, t.ends = t.chars[:keep], t.ends[:keep]
	t.term = term
	at := 0
	if keep > 0 {
		at = t.ends[keep-1]
	}
	for at < len(term) {
		r, n := utf8.DecodeRuneInString(term[at:])
		at += n
		t.chars, t.ends = append(t.chars, r), append(t.ends, at)
		if t.row(len(t.chars)) > t.limit {
			return at, 0
		}
	}
	return -1, t.rows[len(t.chars)][len(t.text)]
}

// row computes the i-th row and gives the least that any later one can reach.
func (t *distances) row(i int) int {
	if len(t.rows) == i {
		t.rows = append(t.rows, make([]int, len(t.text)+1))
	}
	above, row, char := t.rows[i-1], t.rows[i], t.chars[i-1]
	row[0] = i
	least := i
	for j, c := range t.text {
		d := above[j]
		if c != char {
			d = 1 + min(d, above[j+1], row[j])
		}
		if t.transposed && i > 1 && j > 0 && c == t.chars[i-2] && t.text[j-1] == char {
			d = min(d, t.rows[i-2][j-1]+1)
		}
		row[j+1] = d
		least = min(least, d)
	}
	if t.transposed { // a transposition looks past the row above
		least = min(least, 1+leastOf(above))
	}
	return least
}

func leastOf(row []int) int {
	least := row[0]
	for _, d := range row[1:] {
		least = min(least, d)
	}
	return least
}
