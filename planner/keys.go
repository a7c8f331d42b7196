package planner

import (
	"math"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/planner/query"
)

// keyReader gives the sort keys of one field in one segment, a batch of documents at a
// time: out[i*stride] is the key of docs[i].
type keyReader interface {
	read(docs []uint32, out []uint64, stride int)
	// value is the value a key stands for.
	value(key uint64) sortValue
	// after is the key of a cursor's value; keys that are greater come after it.
	after(v sortValue) uint64
}

// openKeys prepares a sort field for a segment. scores is the segment's, if computed.
func openKeys(x *query.Exec, f *sortField, p segment.Part, base uint32, scores []float32) (keyReader, error) {
	switch f.kind {
	case sortScore:
		return scoreKeys{numeric{f}, scores}, nil
	case sortDoc, sortShardDoc:
		return docKeys{numeric{f}, f.first + int64(base)}, nil
	case sortSeqNo:
		return seqKeys{numeric{f}, p.Segment}, nil
	case sortConst:
		return constKeys{f}, nil
	case sortTerm:
		return openTermKeys(x, f, p.Segment)
	case sortNone:
		return missingKeys{f}, nil
	}
	return openNumberKeys(x, f, p.Segment)
}

// numeric is the common part of keys that hold their value.
type numeric struct{ f *sortField }

func (n numeric) value(key uint64) sortValue { return n.f.valueOf(key) }
func (n numeric) after(v sortValue) uint64   { return n.f.keyOf(v) }

type scoreKeys struct {
	numeric
	scores []float32
}

func (k scoreKeys) read(docs []uint32, out []uint64, stride int) {
	flip := k.f.flip()
	for i, d := range docs {
		out[i*stride] = keyOfDouble(float64(k.scores[d])) ^ flip
	}
}

type docKeys struct {
	numeric
	base int64
}

func (k docKeys) read(docs []uint32, out []uint64, stride int) {
	flip := k.f.flip()
	for i, d := range docs {
		out[i*stride] = keyOfLong(k.base+int64(d)) ^ flip
	}
}

type seqKeys struct {
	numeric
	s *segment.Segment
}

func (k seqKeys) read(docs []uint32, out []uint64, stride int) {
	flip := k.f.flip()
	for i, d := range docs {
		out[i*stride] = keyOfLong(k.s.SeqNo(d)) ^ flip
	}
}

// constKeys is a text that all documents of the index share.
type constKeys struct{ f *sortField }

const constKey = 1 << 32

func (k constKeys) read(docs []uint32, out []uint64, stride int) {
	for i := range docs {
		out[i*stride] = constKey
	}
}

func (k constKeys) value(uint64) sortValue { return sortValue{kind: stringValue, s: k.f.text} }

func (k constKeys) after(v sortValue) uint64 {
	return uint64(constKey - k.f.compare(k.value(0), v))
}

// missingKeys is a field that no document of the segment has.
type missingKeys struct{ f *sortField }

func (k missingKeys) read(docs []uint32, out []uint64, stride int) {
	key := k.key()
	for i := range docs {
		out[i*stride] = key
	}
}

func (k missingKeys) key() uint64 {
	if k.f.missing.kind == nullValue || k.f.missing.kind == stringValue {
		return constKey
	}
	return k.f.keyOf(k.f.missing)
}

func (k missingKeys) value(uint64) sortValue { return k.f.missing }

func (k missingKeys) after(v sortValue) uint64 {
	if v.kind == nullValue || v.kind == stringValue {
		return uint64(constKey - k.f.compare(k.f.missing, v))
	}
	return k.f.keyOf(v)
}

// noKeys are the keys documents without a term get.
const (
	firstKey uint64 = 0
	lastKey  uint64 = math.MaxUint64
)

// bits is a bitmap as words, for quick tests of single documents; nil stands for all.
type bits []uint64

func bitsOf(b *roaring.Bitmap, n int) bits {
	if b == nil || int(b.GetCardinality()) == n {
		return nil
	}
	words := make([]uint64, (n+63)/64)
	b.WriteDenseTo(words)
	return words
}

func (b bits) has(doc uint32) bool { return b == nil || b[doc>>6]&(1<<(doc&63)) != 0 }
