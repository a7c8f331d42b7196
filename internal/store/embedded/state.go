package embedded

import (
	"context"
	"strconv"
	"sync/atomic"

	"postern/internal/segment"
	"postern/internal/store"
)

// state is what searches see between two refreshes. What the next state no longer needs
// is freed when this state and all before it have been released.
type state struct {
	ix    *index
	epoch uint64
	parts []segment.Part
	// refs counts the snapshots of this state, and one while it is the current one.
	refs atomic.Int64
	// Once the state has been replaced: document records and segments that only it and
	// older ones can reach.
	garbage  []int64
	segments []uint64
}

// snapshot is a held state.
type snapshot struct {
	*state
	released atomic.Bool
}

var _ store.Snapshot = (*snapshot)(nil)

func (s *snapshot) Parts() []segment.Part { return s.parts }

func (s *snapshot) ID() string { return s.ix.uuid + "/" + strconv.FormatUint(s.epoch, 10) }

func (s *snapshot) Release() {
	if s.released.CompareAndSwap(false, true) {
		s.ix.release(s.state)
	}
}

// Sources reads document records; they are there as long as the state is held.
func (s *snapshot) Sources(ctx context.Context, seqNos []int64) ([]store.Stored, error) {
	out := make([]store.Stored, len(seqNos))
	for i, seq := range seqNos {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := get(s.ix.s.db, seqKey(kindDocument, s.ix.uuid, seq))
		if err != nil {
			return nil, err
		}
		if b == nil {
			continue
		}
		if out[i], err = readDocument(b, seq); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// acquire holds the current state.
func (ix *index) acquire() *snapshot {
	ix.states.Lock()
	defer ix.states.Unlock()
	s := ix.current
	s.refs.Add(1)
	return &snapshot{state: s}
}

func (ix *index) release(s *state) {
	if s.refs.Add(-1) == 0 {
		ix.free()
	}
}

// publish replaces the current state.
func (ix *index) publish(parts []segment.Part, garbage []int64, segments []uint64) {
	ix.states.Lock()
	next := &state{ix: ix, epoch: ix.current.epoch + 1, parts: parts}
	next.refs.Store(1)
	old := ix.current
	old.garbage = append(old.garbage, garbage...)
	old.segments = append(old.segments, segments...)
	ix.current = next
	ix.held = append(ix.held, next)
	ix.states.Unlock()
	ix.release(old)
}

// free collects what the oldest states held once they are all released; the background
// worker removes it from disk.
func (ix *index) free() {
	ix.states.Lock()
	n := 0
	for n < len(ix.held) && ix.held[n].refs.Load() == 0 {
		ix.freed.garbage = append(ix.freed.garbage, ix.held[n].garbage...)
		ix.freed.segments = append(ix.freed.segments, ix.held[n].segments...)
		n++
	}
	ix.held = append([]*state(nil), ix.held[n:]...)
	ready := len(ix.freed.garbage)+len(ix.freed.segments) > 0
	ix.states.Unlock()
	if ready {
		ix.s.wake(ix)
	}
}
