package planner

import (
	"sync"
	"time"

	"postern/internal/store"
)

// trace is how one index's part of a search was answered. It is safe for concurrent use.
type trace struct {
	detailed bool
	mu       sync.Mutex
	split    Split
	// choice is the way that was taken, with the estimates it was chosen by, and why no
	// better one was open.
	choice         choice
	push, scanCost cost
	weight         store.Weight
	why            string
	steps          []step
	attempts       int
	// snapshotTook is how long it took to get all documents, if that was the way.
	snapshotTook time.Duration
	// gathered tells that documents were read in several calls.
	gathered bool
	// coverage is what was found out about fields of the whole index.
	coverage []learned
}

// step is one call of the store.
type step struct {
	rule  Rule
	call  string // of a trace that is detailed
	count int64  // documents, matches or values
	took  time.Duration
	err   error
}

// step runs a call and notes it. Its result is how many documents, matches or values it
// was about.
func (t *trace) step(rule Rule, what func() string, run func() (int64, error)) error {
	start := time.Now()
	n, err := run()
	t.mu.Lock()
	defer t.mu.Unlock()
	s := step{rule: rule, count: n, took: time.Since(start), err: err}
	if t.detailed {
		s.call = what()
	}
	t.steps = append(t.steps, s)
	return err
}

// calls counts the calls that were made, of those that gathered documents at least two.
func (t *trace) calls() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gathered {
		return len(t.steps) + 2
	}
	return len(t.steps)
}

// read notes how a snapshot was come by.
func (t *trace) read(snap store.Snapshot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gathered = t.gathered || store.IsGathered(snap)
}

// learned tells whether no document of an index is uncovered for a field.
type learned struct {
	field   fieldOf
	covered bool
}
