package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// phrasePrefix is a phrase whose last word is only begun: it becomes the phrase with the
// first words of the dictionary that begin so.
type phrasePrefix struct {
	column
	slots     [][]string // the last has the prefixes
	positions []int
	slop      int
	max       int // terms that the last slot may have
}

func (n *phrasePrefix) AppendKey(dst []byte) []byte {
	dst = (&phrase{n.column, n.slots, n.positions, n.slop}).AppendKey(append(dst, "prefix"...))
	return strconv.AppendInt(dst, int64(n.max), 10)
}

func (n *phrasePrefix) become(x *Exec) (Node, error) {
	last := len(n.slots) - 1
	var words []string
	for _, prefix := range n.slots[last] {
		words = n.expand(x, prefix, words)
		if len(words) > n.max {
			break
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) == 0 {
		return matchNone{}, nil
	}
	slots := append(slices.Clone(n.slots[:last]), words)
	return newPhrase(n.column, slots, n.positions, n.slop), nil
}

// expand adds the terms that begin with a prefix until there are enough.
func (n *phrasePrefix) expand(x *Exec, prefix string, words []string) []string {
	var found []string
	for _, p := range x.scope(n.steps) {
		d := n.terms(p.Segment)
		if d == nil {
			continue
		}
		at := d.LowerBound(prefix)
		for i := 0; i < n.max && int(at) < d.NumTerms(); i++ {
			t := d.Term(at)
			if !strings.HasPrefix(t, prefix) {
				break
			}
			found = append(found, t)
			at++
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	if room := max(0, n.max-len(words)); len(found) > room {
		found = found[:room]
	}
	return append(words, found...)
}

func (n *phrasePrefix) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	return matchMade(x, n, s)
}

func (n *phrasePrefix) scorer(x *Exec, boost float32) (scorer, error) { return scorerMade(x, n, boost) }

func (n *phrasePrefix) push(bool) Pushed {
	if len(n.slots) == 1 {
		return never(ofPatterns)
	}
	first := phrase{column: n.column, slots: n.slots[:len(n.slots)-1]}
	return first.push(false)
}

func (n *phrasePrefix) reads(r *Reading) { r.Field(n.field) }
