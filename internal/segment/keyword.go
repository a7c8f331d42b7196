package segment

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"
)

// NoOrd stands in KeywordColumn.OrdOf for a document without a value.
const NoOrd = ^uint32(0)

// KeywordColumn holds terms: a dictionary sorted by bytes, and each document's ordinals
// in it, ascending and distinct.
type KeywordColumn struct {
	docSet
	terms stringTable
	// ordOf holds the one ordinal of each document. When some document has several it
	// is nil, and the ordinals of document d are ords[offsets[d]:offsets[d+1]].
	ordOf   []uint32
	offsets []uint32
	ords    []uint32

	once     sync.Once
	postings inverted
}

// inverted lists the documents of each ordinal.
type inverted struct {
	offsets []uint32
	docs    []uint32
	cached  []atomic.Pointer[roaring.Bitmap]
}

// NumTerms is the size of the dictionary.
func (k *KeywordColumn) NumTerms() int { return k.terms.len() }

// Term is the term of an ordinal.
func (k *KeywordColumn) Term(ord uint32) string { return k.terms.at(ord) }

// TermBytes is Term without a copy; it must not be changed.
func (k *KeywordColumn) TermBytes(ord uint32) []byte { return k.terms.view(ord) }

// Lookup finds a term's ordinal.
func (k *KeywordColumn) Lookup(term string) (ord uint32, ok bool) {
	ord = k.terms.lowerBound(term)
	return ord, int(ord) < k.terms.len() && string(k.terms.view(ord)) == term
}

// LowerBound is the ordinal of the first term that is not below the given one, NumTerms
// when there is none.
func (k *KeywordColumn) LowerBound(term string) uint32 { return k.terms.lowerBound(term) }

// Single reports whether no document has several terms; then OrdOf may be used.
func (k *KeywordColumn) Single() bool { return k.ordOf != nil }

// OrdOf holds the ordinal of each document, NoOrd where there is none; nil unless Single.
func (k *KeywordColumn) OrdOf() []uint32 { return k.ordOf }

// Ords are a document's ordinals, ascending and distinct; they must not be changed.
func (k *KeywordColumn) Ords(doc uint32) []uint32 {
	if k.ordOf != nil {
		if k.ordOf[doc] == NoOrd {
			return nil
		}
		return k.ordOf[doc : doc+1 : doc+1]
	}
	return k.ords[k.offsets[doc]:k.offsets[doc+1]:k.offsets[doc+1]]
}

// fewDocs is up to how many documents a term's bitmap is made anew for each caller, and
// manyTerms from how many terms on none is kept.
const (
	fewDocs   = 64
	manyTerms = 1 << 14
)

// Postings are the documents that have the term. The bitmap may be shared and must not
// be changed.
func (k *KeywordColumn) Postings(ord uint32) *roaring.Bitmap {
	docs := k.DocsOf(ord)
	if len(docs) <= fewDocs || k.postings.cached == nil {
		return roaring.BitmapOf(docs...)
	}
	slot := &k.postings.cached[ord]
	if b := slot.Load(); b != nil {
		return b
	}
	b := roaring.BitmapOf(docs...)
	slot.Store(b)
	return b
}

// DocsOf are the documents that have the term, ascending; they must not be changed.
func (k *KeywordColumn) DocsOf(ord uint32) []uint32 {
	k.once.Do(k.invert)
	return k.postings.docs[k.postings.offsets[ord]:k.postings.offsets[ord+1]]
}

// invert sorts the documents by ordinal, by counting.
func (k *KeywordColumn) invert() {
	terms := k.terms.len()
	at := make([]uint32, terms+1)
	each := func(f func(doc, ord uint32)) {
		if k.ordOf != nil {
			for doc, ord := range k.ordOf {
				if ord != NoOrd {
					f(uint32(doc), ord)
				}
			}
			return
		}
		for doc := range uint32(k.n) {
			for _, ord := range k.ords[k.offsets[doc]:k.offsets[doc+1]] {
				f(doc, ord)
			}
		}
	}
	each(func(_, ord uint32) { at[ord+1]++ })
	for i := range terms {
		at[i+1] += at[i]
	}
	docs := make([]uint32, at[terms])
	next := slices.Clone(at)
	each(func(doc, ord uint32) {
		docs[next[ord]] = doc
		next[ord]++
	})
	k.postings.offsets, k.postings.docs = at, docs
	if terms < manyTerms {
		k.postings.cached = make([]atomic.Pointer[roaring.Bitmap], terms)
	}
}

// Stats counts the live documents that have a value, and their terms.
func (k *KeywordColumn) Stats(live *roaring.Bitmap) (docs, terms int64) {
	if k.ordOf != nil {
		n := int64(k.exists().GetCardinality())
		if live != nil {
			n = int64(k.exists().AndCardinality(live))
		}
		return n, n
	}
	for doc := range uint32(k.n) {
		if n := k.offsets[doc+1] - k.offsets[doc]; n > 0 && (live == nil || live.Contains(doc)) {
			docs++
			terms += int64(n)
		}
	}
	return docs, terms
}

// Bytes is what the column occupies in memory.
func (k *KeywordColumn) Bytes() int64 {
	return k.docSet.bytes() + k.terms.bytes() + int64(4*(len(k.ordOf)+len(k.offsets)+len(k.ords)))
}

// keywordRows are the values of a keyword field as they arrive: documents ascending, and
// terms as numbers in the order of their first arrival.
type keywordRows struct {
	docs  []uint32
	vals  []uint32
	terms []string
	ids   map[string]uint32
}

func (r *keywordRows) id(term string) uint32 {
	id, ok := r.ids[term]
	if !ok {
		if r.ids == nil {
			r.ids = map[string]uint32{}
		}
		id = uint32(len(r.terms))
		term = string([]byte(term))
		r.terms = append(r.terms, term)
		r.ids[term] = id
	}
	return id
}

func (r *keywordRows) add(doc uint32, term string) {
	r.docs = append(r.docs, doc)
	r.vals = append(r.vals, r.id(term))
}

// sortTerms orders terms by bytes and gives each old number its ordinal. Terms of which
// used is false are left out.
func sortTerms(terms []string, used []bool) (table stringTable, ordOf []uint32) {
	order := make([]uint32, 0, len(terms))
	size := 0
	for i := range terms {
		if used[i] {
			order = append(order, uint32(i))
			size += len(terms[i])
		}
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if terms[a] < terms[b] {
			return -1
		}
		return 1
	})
	table = stringTable{append(make([]uint32, 0, len(order)+1), 0), make([]byte, 0, size)}
	ordOf = make([]uint32, len(terms))
	for ord, id := range order {
		table.add(terms[id])
		ordOf[id] = uint32(ord)
	}
	return table, ordOf
}

// build makes the column of the first n documents.
func (r keywordRows) build(n int) *KeywordColumn {
	used := make([]bool, len(r.terms))
	single := true
	for i, v := range r.vals {
		used[v] = true
		if i > 0 && r.docs[i] == r.docs[i-1] && v != r.vals[i-1] {
			single = false
		}
	}
	terms, ordOf := sortTerms(r.terms, used)
	k := &KeywordColumn{terms: terms}
	k.docSet.init(r.docs, n)
	if single {
		k.ordOf = make([]uint32, n)
		for i := range k.ordOf {
			k.ordOf[i] = NoOrd
		}
		for i, d := range r.docs {
			k.ordOf[d] = ordOf[r.vals[i]]
		}
		return k
	}
	k.offsets = make([]uint32, n+1)
	k.ords = make([]uint32, 0, len(r.vals))
	for at, doc := 0, uint32(0); doc < uint32(n); doc++ {
		from := len(k.ords)
		for ; at < len(r.docs) && r.docs[at] == doc; at++ {
			k.ords = append(k.ords, ordOf[r.vals[at]])
		}
		slices.Sort(k.ords[from:])
		k.ords = k.ords[:from+len(slices.Compact(k.ords[from:]))]
		k.offsets[doc+1] = uint32(len(k.ords))
	}
	return k
}
