package planner

// topK keeps the best documents of one segment: those with the smallest keys, and of
// equal keys those with the smallest document number. Keys are uint64s whose order is
// the order of the sort; a document has one for each sort field.
type topK struct {
	size  int
	width int      // keys a document
	keys  []uint64 // width keys a slot
	docs  []uint32 // by slot
	heap  []int32  // slots, the worst first
}

func newTopK(size, width int) *topK {
	room := min(size, 1024)
	return &topK{
		size: size, width: width,
		keys: make([]uint64, 0, room*width), docs: make([]uint32, 0, room), heap: make([]int32, 0, room),
	}
}

func (t *topK) full() bool { return len(t.heap) == t.size }

// worst is the first key of the worst document kept; only for a full heap.
func (t *topK) worst() uint64 { return t.keys[int(t.heap[0])*t.width] }

// compare orders a document that is not kept against the one in a slot.
func (t *topK) compare(key []uint64, doc uint32, slot int32) int {
	base := int(slot) * t.width
	for i, k := range key {
		switch other := t.keys[base+i]; {
		case k < other:
			return -1
		case k > other:
			return 1
		}
	}
	switch other := t.docs[slot]; {
	case doc < other:
		return -1
	case doc > other:
		return 1
	}
	return 0
}

func (t *topK) worse(a, b int32) bool {
	base := int(a) * t.width
	return t.compare(t.keys[base:base+t.width], t.docs[a], b) > 0
}

// offer keeps the document if it is among the best so far.
func (t *topK) offer(key []uint64, doc uint32) {
	if !t.full() {
		slot := int32(len(t.docs))
		t.keys = append(t.keys, key...)
		t.docs = append(t.docs, doc)
		t.heap = append(t.heap, slot)
		t.up(len(t.heap) - 1)
		return
	}
	if t.size == 0 {
		return
	}
	slot := t.heap[0]
	if t.compare(key, doc, slot) >= 0 {
		return
	}
	copy(t.keys[int(slot)*t.width:], key)
	t.docs[slot] = doc
	t.down(0, len(t.heap))
}

func (t *topK) up(i int) {
	for i > 0 {
		p := (i - 1) / 2
		if !t.worse(t.heap[i], t.heap[p]) {
			return
		}
		t.heap[i], t.heap[p] = t.heap[p], t.heap[i]
		i = p
	}
}

func (t *topK) down(i, n int) {
	for {
		c := 2*i + 1
		if c >= n {
			return
		}
		if c+1 < n && t.worse(t.heap[c+1], t.heap[c]) {
			c++
		}
		if !t.worse(t.heap[c], t.heap[i]) {
			return
		}
		t.heap[i], t.heap[c] = t.heap[c], t.heap[i]
		i = c
	}
}

// sorted empties the heap: the kept slots, best first.
func (t *topK) sorted() []int32 {
	for n := len(t.heap) - 1; n > 0; n-- {
		t.heap[0], t.heap[n] = t.heap[n], t.heap[0]
		t.down(0, n)
	}
	return t.heap
}

// keysOf are the keys of a slot.
func (t *topK) keysOf(slot int32) []uint64 {
	return t.keys[int(slot)*t.width : (int(slot)+1)*t.width]
}
