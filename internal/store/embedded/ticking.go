package embedded

import "time"

// idle tells that the index went without searches for so long that it does not refresh on
// its own. One with an explicit interval never is.
func (ix *index) idle(now time.Time) bool {
	s := ix.settings.Load()
	return !s.explicit && now.UnixNano()-ix.lastSearch.Load() > int64(s.idleAfter)
}

// touch notes that the index is searched, and reports whether it was idle with writes that
// no search has seen.
func (ix *index) touch() bool {
	now := time.Now()
	was := ix.idle(now)
	ix.lastSearch.Store(now.UnixNano())
	if !was {
		return false
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.nextSeq > ix.visible
}

// tick sees to it that a timer refreshes the index when that is due; mu is held. An index
// without unseen writes, or an idle one, has no timer and costs nothing. Like the round of
// Elasticsearch's scheduler, the timer leaves a write unseen for a while even when the last
// refresh was long ago.
func (ix *index) tick() {
	interval := ix.settings.Load().interval
	now := time.Now()
	if ix.ticker != nil || ix.dropped.Load() || ix.nextSeq <= ix.visible || interval == 0 || ix.idle(now) {
		return
	}
	ix.ticker = time.AfterFunc(max(interval/2, interval-now.Sub(ix.lastRefresh)), ix.tock)
}

// tock is the timer's call.
func (ix *index) tock() {
	if !ix.s.gate.enter() {
		return
	}
	defer ix.s.gate.leave()
	ix.mu.Lock()
	ix.ticker = nil
	interval := ix.settings.Load().interval
	now := time.Now()
	due := !ix.dropped.Load() && interval > 0 && now.Sub(ix.lastRefresh) >= interval && !ix.idle(now)
	if !due {
		ix.tick() // it was refreshed meanwhile, or the interval has changed
	}
	ix.mu.Unlock()
	if !due {
		return
	}
	if err := ix.refresh(); err != nil {
		ix.s.log.Error("refresh failed", "index", ix.uuid, "error", err)
	}
}
