package segment

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// TextColumn holds analysed text: a sorted dictionary, and for each term the documents,
// frequencies and positions.
type TextColumn struct {
	docSet
	terms stringTable
	// The postings of term t are docs[offsets[t]:offsets[t+1]], with as many freqs.
	offsets []uint32
	docs    []uint32
	freqs   []uint32
	// places holds the positions of term t as varints from placesAt[t] on, each as the
	// distance from the one before it in the same document.
	placesAt []uint32
	places   []byte
	lengths  []byte
	docCount int64
	sumLen   int64
	lens     []uint32 // exact lengths; nil when every length survives its byte
}

// Postings are the documents of one term, ascending, with the term's frequency in each.
// The slices must not be changed.
type Postings struct {
	Docs, Freqs []uint32
	places      []byte
	decoded     *decodedPlaces
}

type decodedPlaces struct {
	at    []uint32
	place []uint32
}

// NumTerms is the size of the dictionary.
func (t *TextColumn) NumTerms() int { return t.terms.len() }

// Term is the term of an ordinal.
func (t *TextColumn) Term(ord uint32) string { return t.terms.at(ord) }

// Lookup finds a term's ordinal.
func (t *TextColumn) Lookup(term string) (ord uint32, ok bool) {
	ord = t.terms.lowerBound(term)
	return ord, int(ord) < t.terms.len() && string(t.terms.view(ord)) == term
}

// LowerBound is the ordinal of the first term that is not below the given one.
func (t *TextColumn) LowerBound(term string) uint32 { return t.terms.lowerBound(term) }

// Postings are the postings of an ordinal.
func (t *TextColumn) Postings(ord uint32) Postings {
	from, to := t.offsets[ord], t.offsets[ord+1]
	return Postings{t.docs[from:to:to], t.freqs[from:to:to], t.places[t.placesAt[ord]:t.placesAt[ord+1]], &decodedPlaces{}}
}

// Positions are the term's positions in the i-th of its documents, ascending. All
// positions of the term are decoded when they are first asked for.
func (p Postings) Positions(i int) []uint32 {
	d := p.decoded
	if d.at == nil {
		d.at = make([]uint32, len(p.Freqs)+1)
		for j, f := range p.Freqs {
			d.at[j+1] = d.at[j] + f
		}
		d.place = make([]uint32, 0, d.at[len(p.Freqs)])
		rest := p.places
		for _, f := range p.Freqs {
			last := uint32(0)
			for range f {
				v, n := binary.Uvarint(rest)
				if n <= 0 {
					break
				}
				rest = rest[n:]
				last += uint32(v)
				d.place = append(d.place, last)
			}
		}
	}
	return d.place[d.at[i]:d.at[i+1]]
}

// Lengths holds each document's number of terms in Lucene's one-byte form (see
// EncodeLength); 0 for documents without the field.
func (t *TextColumn) Lengths() []byte { return t.lengths }

// Stats counts the live documents that have a term of the field, and their terms.
func (t *TextColumn) Stats(live *roaring.Bitmap) (docs, sumLen int64) {
	if live == nil {
		return t.docCount, t.sumLen
	}
	for i := live.Iterator(); i.HasNext(); {
		if n := t.length(i.Next()); n > 0 {
			docs++
			sumLen += int64(n)
		}
	}
	return docs, sumLen
}

func (t *TextColumn) length(doc uint32) uint32 {
	if t.lens != nil {
		return t.lens[doc]
	}
	return uint32(DecodeLength(t.lengths[doc]))
}

// Bytes is what the column occupies in memory.
func (t *TextColumn) Bytes() int64 {
	return t.docSet.bytes() + t.terms.bytes() + int64(4*(len(t.offsets)+len(t.docs)+len(t.freqs)+len(t.placesAt)+len(t.lens))+len(t.places)+len(t.lengths))
}

// exactLengths is up to where EncodeLength keeps lengths as they are.
const exactLengths = 24

// EncodeLength is Lucene's SmallFloat.intToByte4: lengths up to 39 are kept, longer ones
// lose all but their four leading bits.
func EncodeLength(n int) byte {
	if n < exactLengths {
		return byte(n)
	}
	return byte(exactLengths + longToInt4(uint64(n-exactLengths)))
}

// DecodeLength is Lucene's SmallFloat.byte4ToInt.
func DecodeLength(b byte) int {
	if b < exactLengths {
		return int(b)
	}
	return exactLengths + int(int4ToLong(int(b)-exactLengths))
}

func longToInt4(i uint64) int {
	numBits := bits.Len64(i)
	if numBits < 4 {
		return int(i)
	}
	shift := numBits - 4
	encoded := int(i>>shift) & 0x07 // the leading bit is implied
	return encoded | (shift+1)<<3
}

func int4ToLong(i int) uint64 {
	mantissa, shift := uint64(i&0x07), (i>>3)-1
	if shift < 0 {
		return mantissa
	}
	return (mantissa | 0x08) << shift
}

// textRows are the tokens of a text field as they arrive. The tokens of one term come in
// ascending order of documents and, within one, of positions.
type textRows struct {
	lenDocs  []uint32 // documents with the field, ascending
	lens     []uint32
	docs     []uint32 // of each token
	vals     []uint32 // term of each token, as a number in order of arrival
	places   []uint32
	terms    []string
	ids      map[string]uint32
	lastDoc  uint32
	nextGap  uint32 // the position of the next value of lastDoc
	anything bool
}

func (r *textRows) id(term string) uint32 {
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

// begin starts a value of a document and gives the position that its tokens count from.
func (r *textRows) begin(doc uint32) (base uint32) {
	if !r.anything || r.lastDoc != doc {
		r.lenDocs = append(r.lenDocs, doc)
		r.lens = append(r.lens, 0)
		r.lastDoc, r.anything, r.nextGap = doc, true, 0
	}
	return r.nextGap
}

func (r *textRows) token(doc, id, place uint32) {
	r.docs = append(r.docs, doc)
	r.vals = append(r.vals, id)
	r.places = append(r.places, place)
}

// build makes the column of the first n documents. A text without a term, such as "",
// exists but does not count as a document of the field.
func (r textRows) build(n int) *TextColumn {
	used := make([]bool, len(r.terms))
	for _, v := range r.vals {
		used[v] = true
	}
	terms, ordOf := sortTerms(r.terms, used)
	t := &TextColumn{terms: terms, lengths: make([]byte, n)}
	exact := true
	for i, d := range r.lenDocs {
		if r.lens[i] == 0 {
			continue
		}
		t.docCount++
		t.lengths[d] = EncodeLength(int(r.lens[i]))
		exact = exact && DecodeLength(t.lengths[d]) == int(r.lens[i])
		t.sumLen += int64(r.lens[i])
	}
	if !exact {
		t.lens = make([]uint32, n)
		for i, d := range r.lenDocs {
			t.lens[d] = r.lens[i]
		}
	}
	t.docSet.init(r.lenDocs, n)

	// Tokens are sorted by term, by counting; documents stay in order.
	numTerms := terms.len()
	start := make([]uint32, numTerms+1)
	for _, v := range r.vals {
		start[ordOf[v]+1]++
	}
	for i := range numTerms {
		start[i+1] += start[i]
	}
	order := make([]uint32, len(r.vals))
	next := slices.Clone(start)
	for i, v := range r.vals {
		o := ordOf[v]
		order[next[o]] = uint32(i)
		next[o]++
	}
	t.offsets = make([]uint32, 1, numTerms+1)
	t.placesAt = make([]uint32, 1, numTerms+1)
	for o := range numTerms {
		last := uint32(0)
		first := true
		for _, i := range order[start[o]:start[o+1]] {
			d := r.docs[i]
			if first || d != t.docs[len(t.docs)-1] {
				t.docs = append(t.docs, d)
				t.freqs = append(t.freqs, 0)
				last, first = 0, false
			}
			t.freqs[len(t.freqs)-1]++
			t.places = binary.AppendUvarint(t.places, uint64(r.places[i]-last))
			last = r.places[i]
		}
		t.offsets = append(t.offsets, uint32(len(t.docs)))
		t.placesAt = append(t.placesAt, uint32(len(t.places)))
	}
	t.docs, t.freqs, t.places = slices.Clip(t.docs), slices.Clip(t.freqs), slices.Clip(t.places)
	return t
}
