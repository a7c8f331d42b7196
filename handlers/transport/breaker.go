package transport

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"postern/internal/eserr"
)

// breaker refuses requests before the process is in danger of being killed for its
// memory. It counts what the process holds and what the bodies in flight will need.
type breaker struct {
	limit int64

	inflight atomic.Int64 // bytes of bodies being read or worked on
	used     atomic.Int64 // the process, as last sampled
	sampled  atomic.Int64 // when, in nanoseconds

	collecting sync.Mutex
	collected  time.Time

	tidying atomic.Bool
}

const (
	sampleEvery  = 50 * time.Millisecond
	collectEvery = time.Second
	// bodyOverhead is how much memory a body needs for each of its bytes, besides
	// itself: its tape, what is taken out of it.
	bodyOverhead = 1
	// smallBody is what is let through without a look: the errors that the breaker
	// prevents do not come from small requests but from large ones.
	smallBody = 64 << 10
	// largeBody is from what length on a request's memory is given back at once, and
	// tidyAfter when: one time for all requests of that while.
	largeBody = 16 << 20
	tidyAfter = 2 * time.Second
)

func newBreaker(limit int64) *breaker {
	if limit <= 0 {
		limit = math.MaxInt64
	}
	return &breaker{limit: limit}
}

// reserve asks for n bytes of a body; release gives them back. An error is a 429.
func (b *breaker) reserve(n int64) error {
	need := n * (1 + bodyOverhead)
	held := b.inflight.Add(need)
	used := b.usage()
	if used+held <= b.limit {
		return nil
	}
	if n <= smallBody && used <= b.limit {
		return nil
	}
	// Much of it may be garbage.
	if used = b.collect(); used+held <= b.limit || n <= smallBody && used <= b.limit {
		return nil
	}
	b.inflight.Add(-need)
	return eserr.CircuitBreaking("<http_request>", used+held-need, need, b.limit)
}

func (b *breaker) release(n int64) {
	b.inflight.Add(-n * (1 + bodyOverhead))
	if n >= largeBody {
		b.tidy()
	}
}

// tidy gives the memory of a large request back to the system soon after it. An idle
// process would keep its garbage until the collector's next turn, minutes later.
func (b *breaker) tidy() {
	if b.tidying.CompareAndSwap(false, true) {
		time.AfterFunc(tidyAfter, func() {
			b.tidying.Store(false)
			debug.FreeOSMemory()
		})
	}
}

// usage is what the process holds, as of a moment ago.
func (b *breaker) usage() int64 {
	now := time.Now().UnixNano()
	last := b.sampled.Load()
	if now-last > int64(sampleEvery) && b.sampled.CompareAndSwap(last, now) {
		b.used.Store(processMemory())
	}
	return b.used.Load()
}

// collect frees what it can, once a second at most, and gives what is left.
func (b *breaker) collect() int64 {
	b.collecting.Lock()
	defer b.collecting.Unlock()
	if time.Since(b.collected) > collectEvery {
		runtime.GC()
		b.collected = time.Now()
	}
	used := processMemory()
	b.used.Store(used)
	return used
}

// processMemory is the memory of the Go heap in use (garbage not collected yet
// included) with stacks and the runtime's own.
func processMemory() int64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64() - samples[2].Value.Uint64())
}
