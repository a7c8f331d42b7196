package qdrant

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/mapping"
	"postern/internal/segment"
)

const (
	// nearTail is how many documents a tail takes, nearParts how many sealed ones are kept
	// beside each other.
	nearTail, nearParts = 4096, 8
)

// near keeps the columns of one index in memory, for a gateway that is the only writer: a
// scan is not thrown away, and each write is laid over it. Writes are taken in the order of
// _seq_no: one that has come back waits for those under way with a lower one.
type near struct {
	// loading is held for reading by writes under way, and for writing by the scan.
	loading sync.RWMutex

	mu      sync.Mutex
	drained *sync.Cond
	floors  map[*writer]int64 // the lowest _seq_no of each write under way
	pending []event           // writes that have happened, in the order of _seq_no

	loaded bool
	off    bool  // the outcome of a write is not known, or somebody else writes
	large  int64 // that many documents were too large to be kept; 0 when they were not
	epoch  int64 // counts the loads
	taken  int64 // counts the writes since
	// changed counts the fields whose mapping had changed when it was loaded.
	changed int
	parts   []nearPart
	tail    *segment.Tail
	seqs    []int64 // of the tail
	dead    *roaring.Bitmap

	used atomic.Int64 // when it was last asked for, by the store's clock
}

// nearPart is a sealed segment; its live documents are replaced, never changed.
type nearPart struct {
	segment.Part
}

// event is a write that has happened.
type event struct {
	seq      int64
	doc      *mapping.Document // nil for a deletion
	replaces int64             // the _seq_no of the document that was there; -1 for none
}

func newNear() *near {
	n := &near{floors: map[*writer]int64{}}
	n.drained = sync.NewCond(&n.mu)
	return n
}

// floor notes the lowest number of a write under way.
func (n *near) floor(w *writer, seq int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, has := n.floors[w]; !has {
		n.floors[w] = seq
	}
}

// finish takes what a writer's round has written.
func (n *near) finish(w *writer, events []event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.floors, w)
	n.pending = append(n.pending, events...)
	slices.SortFunc(n.pending, func(a, b event) int { return int(min(max(a.seq-b.seq, -1), 1)) })
	lowest := int64(math.MaxInt64)
	for _, f := range n.floors {
		lowest = min(lowest, f)
	}
	for len(n.pending) > 0 && n.pending[0].seq < lowest {
		n.take(&n.pending[0])
		n.pending = n.pending[1:]
	}
	n.drained.Broadcast()
}

// await waits until all writes up to a number have been taken: whoever is answered finds
// what he wrote.
func (n *near) await(seq int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for len(n.pending) > 0 && n.pending[0].seq <= seq {
		n.drained.Wait()
	}
}

// take lays a write over the columns; mu is held.
func (n *near) take(e *event) {
	if !n.loaded {
		return
	}
	n.taken++
	if e.replaces >= 0 {
		n.bury(e.replaces)
	}
	if e.doc == nil {
		return
	}
	if n.tail.Len() >= nearTail {
		n.seal()
	}
	n.tail.Append(e.doc)
	n.seqs = append(n.seqs, e.seq)
}

// bury marks a document as no longer there.
func (n *near) bury(seq int64) {
	if doc, found := slices.BinarySearch(n.seqs, seq); found {
		if n.dead = cloned(n.dead); n.dead == nil {
			n.dead = roaring.New()
		}
		n.dead.Add(uint32(doc))
		return
	}
	for i := range n.parts {
		p := &n.parts[i]
		doc, found := p.Find(seq)
		if !found {
			continue
		}
		if p.Live = cloned(p.Live); p.Live == nil {
			p.Live = roaring.New()
			p.Live.AddRange(0, uint64(p.Len()))
		}
		p.Live.Remove(doc)
	}
}

// cloned is a copy of a bitmap, which a snapshot may hold.
func cloned(b *roaring.Bitmap) *roaring.Bitmap {
	if b == nil {
		return nil
	}
	return b.Clone()
}

// seal makes a part of the tail, and one of all parts when they are many.
func (n *near) seal() {
	if n.tail.Len() > 0 {
		n.parts = append(n.parts, nearPart{n.tailPart()})
	}
	if len(n.parts) > nearParts {
		n.parts = merged(n.view())
	}
	n.tail, n.seqs, n.dead = segment.NewTail(), nil, nil
}

// tailPart is the tail as it is now.
func (n *near) tailPart() segment.Part {
	p := segment.Part{Segment: n.tail.View(n.tail.Len())}
	if n.dead != nil {
		p.Live = roaring.New()
		p.Live.AddRange(0, uint64(p.Len()))
		p.Live.AndNot(n.dead)
	}
	return p
}

// view is the list of sealed parts.
func (n *near) view() []segment.Part {
	parts := make([]segment.Part, 0, len(n.parts)+1)
	for _, p := range n.parts {
		parts = append(parts, p.Part)
	}
	return parts
}

// set takes the parts of a scan; mu is held, and nothing is written meanwhile.
func (n *near) set(parts []segment.Part, changed int) {
	n.loaded, n.changed, n.taken = true, changed, 0
	n.epoch++
	n.parts, n.tail, n.seqs, n.dead = nil, segment.NewTail(), nil, nil
	if len(parts) > 0 {
		n.parts = merged(parts)
	}
}

// merged makes one part of some, without what is dead.
func merged(parts []segment.Part) []nearPart {
	s := segment.Merge(parts)
	if s.Len() == 0 {
		return nil
	}
	return []nearPart{{segment.Part{Segment: s}}}
}

// drop forgets the columns; mu is held.
func (n *near) drop() {
	n.loaded, n.parts, n.tail, n.seqs, n.dead = false, nil, nil, nil, nil
}

// distrust turns the columns off for good, since they may miss a write, and reports whether
// they were on.
func (n *near) distrust() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	was := !n.off
	n.off = true
	n.drop()
	return was
}

// snapshot is what there is now; nil when it is not loaded.
func (n *near) snapshot(s *Store, uuid string, changed int) *snapshot {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.loaded || n.changed != changed {
		return nil
	}
	parts := n.view()
	if n.tail.Len() > 0 {
		parts = append(parts, n.tailPart())
	}
	snap := &snapshot{s: s, uuid: uuid, parts: parts}
	snap.once.Do(func() { snap.id = fmt.Sprintf("%s/%d/%d/%d", uuid, s.opening, n.epoch, n.taken) })
	return snap
}

// bytes is what the columns hold in memory; mu is held.
func (n *near) bytes() int64 {
	if !n.loaded {
		return 0
	}
	size := n.tail.Bytes()
	for _, p := range n.parts {
		size += p.Segment.Bytes()
		if p.Live != nil {
			size += int64(p.Live.GetSizeInBytes())
		}
	}
	return size
}
