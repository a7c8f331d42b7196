package embedded

import "sync"

// queue is the set of indices that a background goroutine has to look after.
type queue struct {
	mu      sync.Mutex
	waiting map[*index]bool
	signal  chan struct{}
}

func newQueue() queue { return queue{waiting: map[*index]bool{}, signal: make(chan struct{}, 1)} }

func (q *queue) add(ix *index) {
	q.mu.Lock()
	q.waiting[ix] = true
	q.mu.Unlock()
	select {
	case q.signal <- struct{}{}:
	default: // it will look anyhow
	}
}

func (q *queue) take() []*index {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := make([]*index, 0, len(q.waiting))
	for ix := range q.waiting {
		list = append(list, ix)
	}
	clear(q.waiting)
	return list
}

// doChores persists full tails and removes what nobody reads any more, until the store
// closes.
func (s *Store) doChores() {
	defer s.background.Done()
	for {
		select {
		case <-s.gate.closing:
			return
		case <-s.chores.signal:
		}
		for _, ix := range s.chores.take() {
			if !s.gate.enter() {
				return
			}
			ix.doChores()
			s.gate.leave()
		}
	}
}

// doMerges merges runs until the store closes. Close does not wait for a merge under way:
// it can do no harm, since nothing of it reaches the database once that is closed.
func (s *Store) doMerges() {
	for {
		select {
		case <-s.gate.closing:
			return
		case <-s.merges.signal:
		}
		for _, ix := range s.merges.take() {
			if err := ix.merge(); err != nil && !s.gate.draining() {
				s.log.Error("merge failed", "index", ix.uuid, "error", err)
			}
		}
	}
}

func (ix *index) doChores() {
	for _, step := range []struct {
		name string
		do   func() error
	}{{"persist", ix.persistFull}, {"remove", ix.collect}, {"tombstones", ix.sweepTombstones}} {
		if err := step.do(); err != nil {
			ix.s.log.Error(step.name+" failed", "index", ix.uuid, "error", err)
		}
	}
}
