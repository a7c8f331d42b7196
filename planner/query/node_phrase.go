package query

import (
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// phrase matches the documents in which terms stand at given distances from one
// another, give or take slop moves.
type phrase struct {
	column
	slots     [][]string // for each place the terms of which any may stand there
	positions []int      // of the slots in the query, ascending
	slop      int
}

// newPhrase builds the phrase of some slots; one slot alone is a query of its terms.
func newPhrase(c column, slots [][]string, positions []int, slop int) Node {
	switch len(slots) {
	case 0:
		return matchNone{}
	case 1:
		return anyTerm(c, slots[0])
	}
	base := positions[0]
	rel := make([]int, len(positions))
	for i, p := range positions {
		rel[i] = p - base
	}
	return &phrase{c, slots, rel, slop}
}

// anyTerm asks for any of some terms, each scored for itself.
func anyTerm(c column, words []string) Node {
	nodes := make([]Node, len(words))
	for i, w := range words {
		nodes[i] = &term{column: c, value: w}
	}
	return newBoolean(nil, nil, nodes, nil, 1)
}

func (n *phrase) AppendKey(dst []byte) []byte {
	dst = n.appendKey(append(dst, "phrase("...))
	for i, words := range n.slots {
		dst = strconv.AppendInt(append(dst, ','), int64(n.positions[i]), 10)
		for _, w := range words {
			dst = appendQuoted(append(dst, ':'), w)
		}
	}
	return append(strconv.AppendInt(append(dst, '~'), int64(n.slop), 10), ')')
}

// phraseDocs are the documents of a segment that hold a phrase, with how often.
type phraseDocs struct {
	docs  []uint32
	freqs []float32
}

func (n *phrase) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	found, err := n.find(x, s)
	if err != nil {
		return nil, err
	}
	return bitmapOf(found.docs, s.Len()), nil
}

func (n *phrase) find(x *Exec, s *segment.Segment) (*phraseDocs, error) {
	key := memoKey{n, s}
	if found, ok := x.phrase[key]; ok {
		return found, nil
	}
	found := &phraseDocs{}
	if x.phrase == nil {
		x.phrase = make(map[memoKey]*phraseDocs)
	}
	x.phrase[key] = found
	t := s.Text(n.field)
	if t == nil {
		return found, nil
	}
	lists := make([]occurrences, len(n.slots))
	for i, words := range n.slots {
		if lists[i] = occurrencesOf(t, words); lists[i].docs == nil {
			return found, nil
		}
	}
	count := n.exactFreq
	if n.slop > 0 {
		count = n.sloppyFreq
	}
	places := make([][]uint32, len(lists))
	err := conjunction(x, lists, func(doc uint32, at []int) {
		for i, list := range lists {
			places[i] = list.positions(at[i])
		}
		if f := count(places); f > 0 {
			found.docs = append(found.docs, doc)
			found.freqs = append(found.freqs, f)
		}
	})
	return found, err
}

// conjunction calls f with each document that all lists have, and where in each list.
func conjunction(x *Exec, lists []occurrences, f func(doc uint32, at []int)) error {
	rarest := 0
	for i, l := range lists {
		if len(l.docs) < len(lists[rarest].docs) {
			rarest = i
		}
	}
	at := make([]int, len(lists))
next:
	for i, doc := range lists[rarest].docs {
		if i&0xFFFF == 0xFFFF {
			if err := x.Alive(); err != nil {
				return err
			}
		}
		at[rarest] = i
		for j := range lists {
			if j == rarest {
				continue
			}
			k, ok := gallop(lists[j].docs, at[j], doc)
			at[j] = k
			if k == len(lists[j].docs) {
				return nil
			}
			if !ok {
				continue next
			}
		}
		f(doc, at)
	}
	return nil
}

// gallop finds doc in ascending docs from index from on, in steps that double.
func gallop(docs []uint32, from int, doc uint32) (int, bool) {
	step := 1
	hi := from
	for hi < len(docs) && docs[hi] < doc {
		from = hi + 1
		hi += step
		step *= 2
	}
	i, ok := slices.BinarySearch(docs[from:min(hi+1, len(docs))], doc)
	return from + i, ok
}

// exactFreq counts the places where the terms stand exactly as in the query.
func (n *phrase) exactFreq(places [][]uint32) float32 {
	count := 0
	at := make([]int, len(places))
next:
	for _, p := range places[0] {
		for j := 1; j < len(places); j++ {
			k, ok := gallop(places[j], at[j], p+uint32(n.positions[j]))
			at[j] = k
			if !ok {
				continue next
			}
		}
		count++
	}
	return float32(count)
}

func (n *phrase) scorer(x *Exec, boost float32) (scorer, error) {
	st := x.stats(n.column)
	if st.docs == 0 {
		return zeroScorer{}, nil
	}
	var sum float64
	for _, words := range n.slots {
		known := false
		for _, w := range words {
			if freq := x.docFreq(n.column, w); freq > 0 {
				sum += float64(idf(st.docs, freq))
				known = true
			}
		}
		if !known {
			return zeroScorer{}, nil
		}
	}
	return &phraseScorer{n, newBM25(boost, float32(sum), st)}, nil
}

type phraseScorer struct {
	*phrase
	bm25
}

func (c *phraseScorer) constant() (float32, bool) { return 0, false }

func (c *phraseScorer) add(x *Exec, s *segment.Segment, _ *roaring.Bitmap, acc []float64) error {
	found, err := c.find(x, s)
	if err != nil || len(found.docs) == 0 {
		return err
	}
	lengths := c.lengths(s.Text(c.field))
	for i, doc := range found.docs {
		acc[doc] += float64(c.score(found.freqs[i], norm(lengths, doc)))
	}
	return nil
}

func (n *phrase) push(bool) Pushed {
	list := make([]Pushed, len(n.slots))
	for i, words := range n.slots {
		list[i] = pushTerms(n.column, words...)
	}
	p := pushedAll(list)
	p.Exactness, p.Why = Superset, "the order of words"
	return p
}

func (n *phrase) reads(r *Reading) { r.Field(n.field) }

// slotsOf makes a slot of each word.
func slotsOf(words []string) [][]string {
	slots := make([][]string, len(words))
	for i := range words {
		slots[i] = words[i : i+1]
	}
	return slots
}
