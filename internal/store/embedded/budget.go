package embedded

import (
	"sync/atomic"
	"time"

	"postern/internal/eserr"
)

// budget bounds the memory of columns and tails. What they hold is added up now and then,
// and only when something is written: an idle store costs nothing.
type budget struct {
	limit  int64 // 0 is none
	used   atomic.Int64
	looked atomic.Int64 // when it was added up, in nanoseconds since 1970
}

// lookEvery is how old the sum may be.
const lookEvery = 200 * time.Millisecond

// look adds up again if the sum is old.
func (b *budget) look(s *Store) {
	if b.limit == 0 {
		return
	}
	now, last := time.Now().UnixNano(), b.looked.Load()
	if now-last < int64(lookEvery) || !b.looked.CompareAndSwap(last, now) {
		return
	}
	var used int64
	for _, ix := range s.open() {
		used += ix.memory()
	}
	b.used.Store(used)
}

// admit counts a document of that size in, or refuses it.
func (b *budget) admit(size int64) error {
	if b.limit == 0 {
		return nil
	}
	if used := b.used.Add(size); used > b.limit {
		b.used.Add(-size)
		return eserr.CircuitBreaking("columns", used-size, size, b.limit)
	}
	return nil
}

// memory is what the index's columns and tails hold, those of held snapshots included.
func (ix *index) memory() int64 {
	n := ix.states.oldMemory()
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, r := range ix.runs {
		n += r.memory()
	}
	return n
}
