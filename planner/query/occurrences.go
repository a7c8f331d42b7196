package query

import (
	"slices"

	"postern/internal/segment"
)

// occurrences are the documents that have any of some terms of a text, ascending, with
// the places where they stand.
type occurrences struct {
	docs  []uint32
	lists []segment.Postings
}

// occurrencesOf finds some terms; without documents there are none.
func occurrencesOf(t *segment.TextColumn, words []string) occurrences {
	var o occurrences
	for _, w := range words {
		if ord, ok := t.Lookup(w); ok {
			p := t.Postings(ord)
			o.lists = append(o.lists, p)
			o.docs = append(o.docs, p.Docs...)
		}
	}
	if len(o.lists) == 1 {
		o.docs = o.lists[0].Docs
		return o
	}
	slices.Sort(o.docs)
	o.docs = slices.Compact(o.docs)
	return o
}

// positions are the places in the i-th of the documents, ascending.
func (o *occurrences) positions(i int) []uint32 {
	if len(o.lists) == 1 {
		return o.lists[0].Positions(i)
	}
	var all []uint32
	for _, p := range o.lists {
		if at, ok := slices.BinarySearch(p.Docs, o.docs[i]); ok {
			all = append(all, p.Positions(at)...)
		}
	}
	slices.Sort(all)
	return all
}
