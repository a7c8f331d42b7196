package segment

import (
	"bytes"
	"hash/maphash"
	"sync"
)

// idTable finds documents by _id: a hash table with open addressing, made when it is
// first asked.
type idTable struct {
	once  sync.Once
	seed  maphash.Seed
	slots []uint32 // ordinal + 1; 0 is free
}

// DocsOfID appends the documents with an _id, ascending. There are several where a
// document was written again before the segment was merged.
func (s *Segment) DocsOfID(dst []uint32, id []byte) []uint32 {
	if s.ids.len() == 0 {
		return dst
	}
	t := &s.byID
	t.once.Do(func() { t.fill(s) })
	mask := uint64(len(t.slots) - 1)
	from := len(dst)
	for i := maphash.Bytes(t.seed, id) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		doc := t.slots[i] - 1
		if !bytes.Equal(s.ids.view(doc), id) {
			continue
		}
		dst = append(dst, doc)
		for j := len(dst) - 1; j > from && dst[j] < dst[j-1]; j-- {
			dst[j], dst[j-1] = dst[j-1], dst[j]
		}
	}
	return dst
}

func (t *idTable) fill(s *Segment) {
	size := 8
	for size < 2*s.n {
		size *= 2
	}
	t.seed, t.slots = maphash.MakeSeed(), make([]uint32, size)
	mask := uint64(size - 1)
	for doc := range uint32(s.n) {
		i := maphash.Bytes(t.seed, s.ids.view(doc)) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = doc + 1
	}
}
