package embedded

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
)

// state is what searches see between two publications.
type state struct {
	ix    *index
	below int64 // all writes below this _seq_no
	parts []segment.Part
	// refs counts the snapshots of this state, and one while it is the current one.
	refs int
	// What only this state and older ones can reach, once it has been replaced.
	garbage
}

// garbage are document records and runs that can be removed.
type garbage struct {
	records []int64
	runs    []uint64
}

func (g *garbage) take(other *garbage) {
	g.records = append(g.records, other.records...)
	g.runs = append(g.runs, other.runs...)
	*other = garbage{}
}

func (g *garbage) empty() bool { return len(g.records)+len(g.runs) == 0 }

// holder holds the states of an index that somebody reads. What a state was the last to
// reach becomes free when it and all older ones have been released.
type holder struct {
	mu   sync.Mutex
	held []*state // oldest first; the last is the current one
	free garbage
}

func (h *holder) begin(ix *index) { h.held = []*state{{ix: ix, refs: 1}} }

func (h *holder) current() *state { return h.held[len(h.held)-1] }

// acquire holds the current state.
func (h *holder) acquire() *snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.current()
	s.refs++
	return &snapshot{state: s}
}

// publish replaces the current state; g is what the new one no longer reaches. It reports
// whether something became free.
func (h *holder) publish(below int64, parts []segment.Part, g garbage) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	old := h.current()
	old.garbage.take(&g)
	h.held = append(h.held, &state{ix: old.ix, below: below, parts: parts, refs: 1})
	return h.drop(old)
}

// release gives a state back and reports whether something became free.
func (h *holder) release(s *state) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.drop(s)
}

// drop lets go of a state. When nobody holds it, it goes, and leaves its garbage to the
// next older one, or to nobody.
func (h *holder) drop(s *state) bool {
	if s.refs--; s.refs > 0 {
		return false
	}
	i := 0
	for h.held[i] != s {
		i++
	}
	to := &h.free
	if i > 0 {
		to = &h.held[i-1].garbage
	}
	to.take(&s.garbage)
	h.held = append(h.held[:i:i], h.held[i+1:]...)
	return i == 0 && (!h.free.empty() || s.ix.dropped.Load())
}

// freed takes what is free.
func (h *holder) freed() (g garbage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	g.take(&h.free)
	return g
}

// unread tells that nobody holds a snapshot.
func (h *holder) unread() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.held) == 1 && h.current().refs == 1
}

// oldMemory is what segments hold that only snapshots still reach.
func (h *holder) oldMemory() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.held) == 1 {
		return 0
	}
	counted := map[*segment.Segment]bool{}
	for _, p := range h.current().parts {
		counted[p.Segment] = true
	}
	var n int64
	for _, s := range h.held {
		for _, p := range s.parts {
			if !counted[p.Segment] {
				counted[p.Segment] = true
				n += p.Segment.Bytes()
			}
		}
	}
	return n
}

// snapshot is a held state.
type snapshot struct {
	*state
	released atomic.Bool
}

var _ store.Snapshot = (*snapshot)(nil)

func (s *snapshot) Parts() []segment.Part { return s.parts }

// ID names the writes that are seen; the term tells one opening of the store from the
// next, which may give a _seq_no again whose write a crash took.
func (s *snapshot) ID() string {
	return fmt.Sprintf("%s/%d/%d", s.ix.uuid, s.ix.term, s.below)
}

func (s *snapshot) Release() {
	if s.released.CompareAndSwap(false, true) && s.ix.states.release(s.state) {
		s.ix.removeLater()
	}
}

// Sources reads document records; they are there as long as the state is held.
func (s *snapshot) Sources(ctx context.Context, seqNos []int64) ([]store.Stored, error) {
	if !s.ix.s.gate.again() {
		return nil, store.ErrClosed
	}
	defer s.ix.s.gate.leave()
	out := make([]store.Stored, len(seqNos))
	if len(seqNos) == 1 {
		b, err := get(s.ix.s.db, appendSeqKey(nil, kindDocument, s.ix.uuid, seqNos[0]))
		if err == nil && b != nil && seqNos[0] < s.below {
			out[0], err = readDocument(b, seqNos[0])
		}
		return out, err
	}
	return out, s.readInOrder(ctx, seqNos, out)
}

// readInOrder reads records in the order in which they lie: one iterator passes over every
// block once, where look-ups would search each level and read its block for every record.
func (s *snapshot) readInOrder(ctx context.Context, seqNos []int64, out []store.Stored) (err error) {
	order := make([]int, len(seqNos))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(seqNos[a], seqNos[b]) })
	all := prefix(kindDocument, s.ix.uuid)
	it, err := s.ix.s.db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: all, UpperBound: after(all)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	var k, arena []byte
	for _, i := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if seqNos[i] >= s.below {
			continue
		}
		k = appendSeqKey(k[:0], kindDocument, s.ix.uuid, seqNos[i])
		if !it.SeekGE(k) || !bytes.Equal(it.Key(), k) {
			continue
		}
		v, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		if len(v) > cap(arena)-len(arena) { // earlier records keep what they lie in
			arena = make([]byte, 0, max(len(v), 16<<10))
		}
		from := len(arena)
		arena = append(arena, v...)
		if out[i], err = readDocument(arena[from:len(arena):len(arena)], seqNos[i]); err != nil {
			return err
		}
	}
	return it.Error()
}

// Snapshot is what a search sees; see store.Documents. An index that went without searches
// for a while is not refreshed on its own, so its next search does it, as in
// Elasticsearch.
func (s *Store) Snapshot(_ context.Context, meta *metadata.Index, _ store.Hold) (store.Snapshot, error) {
	ix, leave, err := s.enter(meta)
	if err != nil {
		return nil, err
	}
	defer leave()
	ix.searches.Add(1)
	return ix.search()
}

func (ix *index) search() (*snapshot, error) {
	if ix.touch() {
		if err := ix.refresh(); err != nil {
			return nil, err
		}
	}
	return ix.states.acquire(), nil
}

// waste counts the document records that are free.
func (h *holder) waste() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.free.records)
}
