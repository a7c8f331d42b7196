package embedded

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/metadata"
	"postern/internal/segment"
)

// sealAt is how many documents a tail takes before a new one begins, and sealBytes how
// much memory.
const (
	sealAt    = 4096
	sealBytes = 8 << 20
)

// index is the open state of one index.
type index struct {
	s    *Store
	uuid string
	meta atomic.Pointer[metadata.Index] // the latest one seen, for its settings

	// mu orders writes: it is held from reading what is there until the batch is in the
	// database's memory, not while it is synced.
	mu      sync.Mutex
	nextSeq int64
	runs    []*run // the last one is the tail
	// dead are document records replaced since the last refresh.
	dead      []int64
	dirty     bool
	nextRun   uint64
	dropped   bool
	indexed   atomic.Int64
	deleted   atomic.Int64
	gets      atomic.Int64
	searches  atomic.Int64
	refreshes atomic.Int64

	// refreshing lets one refresh, persist or merge change the list of runs at a time.
	refreshing sync.Mutex

	states  sync.Mutex
	current *state
	held    []*state // oldest first, the last is the current one
	freed   struct {
		garbage  []int64
		segments []uint64
	}

	lastSearch  atomic.Int64  // nanoseconds since 1970
	lastRefresh time.Time     // guarded by mu
	refreshed   chan struct{} // closed at the next refresh; guarded by mu
	visibleSeq  int64         // all below are visible; guarded by mu
}

// run is a run of documents by _seq_no: a segment on disk, or a tail in memory.
type run struct {
	number uint64
	// tail holds the documents until the run is persisted; then seg does.
	tail *segment.Tail
	seg  *segment.Segment
	dead *roaring.Bitmap // nil is none; replaced, never changed
	// live is what dead leaves of the first liveLen documents.
	live    *roaring.Bitmap
	liveLen int
	// first is the _seq_no of the first document; last that of the last one.
	first, last int64
	persisted   bool
}

func (r *run) len() int {
	if r.seg != nil {
		return r.seg.Len()
	}
	return r.tail.Len()
}

// view is the run as a segment, all of its documents.
func (r *run) view() *segment.Segment {
	if r.seg != nil {
		return r.seg
	}
	return r.tail.View(r.tail.Len())
}

// part is the run as a snapshot sees it now.
func (r *run) part() segment.Part {
	view := r.view()
	if r.dead == nil || r.dead.IsEmpty() {
		return segment.Part{Segment: view}
	}
	if r.live == nil || r.liveLen != view.Len() {
		r.live, r.liveLen = roaring.New(), view.Len()
		r.live.AddRange(0, uint64(view.Len()))
		r.live.AndNot(r.dead)
	}
	return segment.Part{Segment: view, Live: r.live}
}

func newIndex(s *Store, meta *metadata.Index) *index {
	ix := &index{s: s, uuid: meta.UUID, refreshed: make(chan struct{}), lastRefresh: time.Now()}
	ix.meta.Store(meta)
	ix.current = &state{ix: ix}
	ix.current.refs.Store(1)
	ix.held = []*state{ix.current}
	ix.lastSearch.Store(time.Now().UnixNano())
	return ix
}

// tail is the run that takes the next document.
func (ix *index) tail() *run {
	if n := len(ix.runs); n > 0 {
		if r := ix.runs[n-1]; r.tail != nil && r.seg == nil && r.len() < sealAt && r.tail.Bytes() < sealBytes {
			return r
		}
		ix.s.wake(ix) // the full one can be persisted
	}
	ix.nextRun++
	r := &run{number: ix.nextRun, tail: segment.NewTail()}
	ix.runs = append(ix.runs, r)
	return r
}

// refreshInterval is the index's setting; explicit says that it was set.
func (ix *index) refreshInterval() (interval time.Duration, explicit bool) {
	meta := ix.meta.Load()
	_, explicit = meta.Settings.Get("index.refresh_interval")
	return meta.Settings.Duration("index.refresh_interval", time.Second), explicit
}

// idleAfter is how long an index goes without searches before it is no longer refreshed
// on its own (index.search.idle.after).
func (ix *index) idleAfter() time.Duration {
	return ix.meta.Load().Settings.Duration("index.search.idle.after", 30*time.Second)
}

func (ix *index) idle(now time.Time) bool {
	if _, explicit := ix.refreshInterval(); explicit {
		return false
	}
	return now.UnixNano()-ix.lastSearch.Load() > int64(ix.idleAfter())
}

func appendNextSeq(dst []byte, n int64) []byte { return binary.AppendUvarint(dst, uint64(n)) }
