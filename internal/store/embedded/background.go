package embedded

import (
	"context"
	"time"
)

// refreshTick is how often the refresher looks which indices are due.
const refreshTick = 100 * time.Millisecond

// wake tells the worker that an index has work; when it is far behind already, the next
// tick will find it.
func (s *Store) wake(ix *index) {
	select {
	case s.wakeups <- ix:
	default:
	}
}

// refresher refreshes each index at its interval while it is searched.
func (s *Store) refresher() {
	defer s.background.Done()
	tick := time.NewTicker(refreshTick)
	defer tick.Stop()
	for {
		select {
		case <-s.closing:
			return
		case now := <-tick.C:
			var memory int64
			for _, ix := range s.open() {
				if ix.due(now) {
					if err := ix.refresh(context.Background()); err != nil {
						s.log.Error("refresh failed", "index", ix.uuid, "error", err)
					}
				}
				memory += ix.memory()
			}
			s.memory.Store(memory)
		}
	}
}

func (s *Store) open() []*index {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]*index, 0, len(s.indices))
	for _, ix := range s.indices {
		list = append(list, ix)
	}
	return list
}

func (ix *index) due(now time.Time) bool {
	interval, _ := ix.refreshInterval()
	if interval < 0 || ix.idle(now) {
		return false
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return (ix.dirty || ix.visibleSeq < ix.nextSeq) && !ix.dropped && now.Sub(ix.lastRefresh) >= interval
}

// memory is what the index's runs hold.
func (ix *index) memory() int64 {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	var n int64
	for _, r := range ix.runs {
		if r.seg != nil {
			n += r.seg.Bytes()
		} else {
			n += r.tail.Bytes()
		}
	}
	return n
}

// sweepTick is how often tombstones and garbage are looked for without being told.
const sweepTick = 5 * time.Second

// worker persists full tails, merges segments and removes what nobody reads any more.
func (s *Store) worker() {
	defer s.background.Done()
	tick := time.NewTicker(sweepTick)
	defer tick.Stop()
	for {
		select {
		case <-s.closing:
			return
		case ix := <-s.wakeups:
			s.work(ix)
		case <-tick.C:
			for _, ix := range s.open() {
				s.work(ix)
				if err := ix.sweepTombstones(time.Now()); err != nil {
					s.log.Error("tombstones", "index", ix.uuid, "error", err)
				}
			}
		}
	}
}

func (s *Store) work(ix *index) {
	for _, step := range []struct {
		name string
		do   func() error
	}{{"persist", ix.persistFull}, {"merge", ix.merge}, {"free", ix.collect}} {
		if err := step.do(); err != nil {
			s.log.Error(step.name+" failed", "index", ix.uuid, "error", err)
		}
	}
}
