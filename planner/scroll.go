package planner

import (
	"context"
	"sync"
	"time"

	"postern/generated/api"
	"postern/internal/metadata"
	"postern/internal/store"
)

// Scroll is a search that is answered page by page, all of one moment. It is safe for
// concurrent use: pages are made one after the other.
type Scroll struct {
	planner *Planner

	mu    sync.Mutex
	plan  *Plan
	held  []store.Snapshot // those of plan's indices; nil once released
	first *Answer          // what later pages repeat of the first; without hits
}

// OpenScroll answers the first page of a search with scroll, and gives what the other
// pages come from, which is to be released.
func (p *Planner) OpenScroll(ctx context.Context, targets []metadata.Resolved, r *api.SearchRequest) (*Answer, *Scroll, error) {
	start := time.Now()
	plan, err := Parse(byName(targets), r, p.now())
	if err != nil {
		return nil, nil, err
	}
	if err := plan.failedEverywhere(p.Node); err != nil {
		return nil, nil, err
	}
	e := p.newExecution(plan)
	e.hold = store.HoldForContext
	a, err := e.execute(ctx)
	if err != nil {
		e.release()
		return nil, nil, err
	}
	e.end()
	s := &Scroll{planner: p, plan: plan, held: e.snapshots}
	s.turn(e)
	s.keep()
	s.first = &Answer{Total: a.Total, MaxScore: a.MaxScore, TerminatedEarly: a.TerminatedEarly}
	a.TookMillis = elapsed(start)
	return a, s, nil
}

// turn moves each index's cursor to its last document of the page.
func (s *Scroll) turn(e *execution) {
	for i := range e.page {
		f := &e.page[i]
		s.plan.shards[f.shard].after = f.values
	}
}

// keep makes the plan that of the later pages: only matches are left to be found, in the
// indices that could answer.
func (s *Scroll) keep() {
	s.plan.hasAggs, s.plan.laterPage = false, true
	shards, held := s.plan.shards, s.held
	s.plan.shards, s.held = nil, nil
	for i, shard := range shards {
		switch {
		case shard.err == nil:
			shard.aggs, shard.mayMatch = nil, nil
			s.plan.shards = append(s.plan.shards, shard)
			s.held = append(s.held, held[i])
		case held[i] != nil:
			held[i].Release()
		}
	}
}

// Next answers the next page, which is empty at the end.
func (s *Scroll) Next(ctx context.Context, totalAsInt bool) (*Answer, error) {
	start := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan.totalAsInt = totalAsInt
	e := s.planner.newExecution(s.plan)
	e.hold = store.HoldForContext
	copy(e.snapshots, s.held)
	defer e.end()
	a, err := e.execute(ctx)
	if err != nil {
		return nil, err
	}
	s.turn(e)
	a.Total, a.MaxScore, a.TerminatedEarly = s.first.Total, s.first.MaxScore, s.first.TerminatedEarly
	a.TookMillis = elapsed(start)
	return a, nil
}

// Indices lists the uuids of the indices that are read.
func (s *Scroll) Indices() []string {
	uuids := make([]string, len(s.plan.shards))
	for i, shard := range s.plan.shards {
		uuids[i] = shard.index.UUID
	}
	return uuids
}

// Release gives back what the scroll holds. It must not be used after that.
func (s *Scroll) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	releaseAll(s.held)
	s.held = nil
}
