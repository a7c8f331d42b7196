package embedded

import (
	"math"
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/mapping"
	"postern/internal/segment"
)

// run is a run of documents by _seq_no: a tail in memory, later a segment on disk.
type run struct {
	number uint64
	// first and last bound the documents' _seq_no.
	first, last int64
	// tail and the _seq_no of its documents, until the run is persisted; then seg.
	tail *segment.Tail
	seqs []int64
	seg  *segment.Segment
	// size is what the run's pieces take on disk.
	size int64
	// shown is how many documents searches see, dead which of all are replaced or deleted
	// as searches see it. The bitmap is replaced, never changed.
	shown int
	dead  *roaring.Bitmap
	// saved is the dead that the database has.
	saved *roaring.Bitmap
	// live is made from shown and dead when it is asked for.
	live *roaring.Bitmap
}

// newTail has no documents; it sorts behind all that have some.
func newTail(number uint64) *run {
	return &run{number: number, tail: segment.NewTail(), first: math.MaxInt64, last: math.MaxInt64}
}

func (r *run) len() int {
	if r.seg != nil {
		return r.seg.Len()
	}
	return len(r.seqs)
}

func (r *run) persisted() bool { return r.seg != nil }

func (r *run) full(s *sizes) bool { return len(r.seqs) >= s.tailDocs || r.tail.Bytes() >= s.tailBytes }

func (r *run) append(doc *mapping.Document) {
	if len(r.seqs) == 0 {
		r.first = doc.SeqNo
	}
	r.last = doc.SeqNo
	r.seqs = append(r.seqs, doc.SeqNo)
	r.tail.Append(doc)
}

// find is the place of the document with that _seq_no.
func (r *run) find(seq int64) (doc uint32, ok bool) {
	if r.seg != nil {
		return r.seg.Find(seq)
	}
	i, ok := slices.BinarySearch(r.seqs, seq)
	return uint32(i), ok
}

// show lets searches see the documents below a _seq_no.
func (r *run) show(below int64) {
	n := r.len()
	if r.shown == n {
		return
	}
	if r.last >= below {
		if r.seg != nil {
			n = sort.Search(n, func(i int) bool { return r.seg.SeqNo(uint32(i)) >= below })
		} else {
			n, _ = slices.BinarySearch(r.seqs, below)
		}
	}
	if n > r.shown {
		r.shown, r.live = n, nil
	}
}

// bury marks documents as dead.
func (r *run) bury(docs *roaring.Bitmap) {
	if r.dead != nil {
		docs.Or(r.dead)
	}
	r.dead, r.live = docs, nil
}

// part is the run as searches see it.
func (r *run) part() segment.Part {
	view := r.seg
	if view == nil {
		view = r.tail.View(r.shown)
	}
	if r.shown == view.Len() && r.dead == nil {
		return segment.Part{Segment: view}
	}
	if r.live == nil {
		r.live = roaring.New()
		r.live.AddRange(0, uint64(r.shown))
		if r.dead != nil {
			r.live.AndNot(r.dead)
		}
	}
	return segment.Part{Segment: view, Live: r.live}
}

// memory is what the run holds in memory.
func (r *run) memory() int64 {
	n := int64(8 * cap(r.seqs))
	if r.seg != nil {
		n += r.seg.Bytes()
	} else {
		n += r.tail.Bytes()
	}
	if r.dead != nil {
		n += int64(r.dead.GetSizeInBytes())
	}
	if r.live != nil {
		n += int64(r.live.GetSizeInBytes())
	}
	return n
}

// tail is the run that takes the next document.
func (ix *index) tail() *run {
	if n := len(ix.runs); n > 0 {
		if r := ix.runs[n-1]; !r.persisted() && !r.full(&ix.s.opts.sizes) {
			return r
		}
		ix.s.chores.add(ix) // the full one can be persisted
	}
	ix.lastRun++
	r := newTail(ix.lastRun)
	ix.runs = append(ix.runs, r)
	return r
}

// runOf is the run whose range holds a _seq_no; nil when none does.
func (ix *index) runOf(seq int64) *run {
	i, found := slices.BinarySearchFunc(ix.runs, seq, func(r *run, seq int64) int {
		switch {
		case r.last < seq:
			return -1
		case r.first > seq:
			return 1
		}
		return 0
	})
	if !found {
		return nil
	}
	return ix.runs[i]
}
