package embedded

import (
	"sync/atomic"
	"time"
)

// gate lets calls in until the store closes, and lets Close wait for those inside. A call
// may enter again while it is inside.
type gate struct {
	inside  atomic.Int64
	closed  atomic.Bool
	closing chan struct{} // closed with it, for those who wait inside
}

func (g *gate) enter() bool {
	g.inside.Add(1)
	if g.closed.Load() {
		g.inside.Add(-1)
		return false
	}
	return true
}

func (g *gate) leave() { g.inside.Add(-1) }

// close reports whether it was open; when it returns nobody is inside.
func (g *gate) close() bool {
	if g.closed.Swap(true) {
		return false
	}
	close(g.closing)
	for g.inside.Load() > 0 {
		time.Sleep(100 * time.Microsecond)
	}
	return true
}
