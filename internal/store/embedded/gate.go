package embedded

import (
	"sync/atomic"
	"time"
)

// gate lets calls in until the store drains, and the steps that they and the background
// take in the database until it closes.
type gate struct {
	inside  atomic.Int64
	phase   atomic.Int32
	closing chan struct{} // closed when the store drains, for those who wait inside
}

const (
	phaseOpen = iota
	phaseDraining
	phaseClosed
)

func (g *gate) in(phase int32) bool {
	g.inside.Add(1)
	if g.phase.Load() > phase {
		g.inside.Add(-1)
		return false
	}
	return true
}

// enter begins a call.
func (g *gate) enter() bool { return g.in(phaseOpen) }

// again begins a step that touches the database.
func (g *gate) again() bool { return g.in(phaseDraining) }

// leave ends what enter or again began.
func (g *gate) leave() { g.inside.Add(-1) }

func (g *gate) draining() bool { return g.phase.Load() > phaseOpen }

// drain lets no more calls in and waits for those inside; false says that it has been done
// before.
func (g *gate) drain() bool {
	if !g.phase.CompareAndSwap(phaseOpen, phaseDraining) {
		return false
	}
	close(g.closing)
	g.wait()
	return true
}

// close lets nobody in any more and waits for those inside.
func (g *gate) close() {
	g.phase.Store(phaseClosed)
	g.wait()
}

func (g *gate) wait() {
	for g.inside.Load() > 0 {
		time.Sleep(100 * time.Microsecond)
	}
}
