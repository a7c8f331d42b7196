package planner

import (
	"context"
	"errors"

	"postern/internal/fence"
	"postern/internal/store"
)

// maxAttempts is how often an answer is made of several calls, until one shows a single
// moment.
const maxAttempts = 3

// atOneMoment executes a plan. An answer that was made of several calls counts only if
// nothing of its indices was written between the first and the last, which the fence
// knows; without one nobody does. After some attempts it is made of one call.
func (p *Planner) atOneMoment(ctx context.Context, plan *Plan) (*Answer, error) {
	for attempt := 1; ; attempt++ {
		a, moved, err := p.attempt(ctx, plan, attempt)
		if attempt > maxAttempts || !moved {
			return a, err
		}
		for _, s := range plan.shards {
			if s.aggs != nil {
				s.aggs.Reset()
			}
		}
	}
}

// attempt executes a plan once, and tells whether the documents have moved meanwhile.
func (p *Planner) attempt(ctx context.Context, plan *Plan, n int) (a *Answer, moved bool, err error) {
	e := p.newExecution(plan)
	defer e.release()
	if n > maxAttempts {
		e.hold = store.HoldForContext // what is read once is kept
	}
	for i := range e.traces {
		e.traces[i].attempts, e.traces[i].detailed = n, plan.profile
	}
	if p.Fence != nil {
		var kept []byte
		if e.before, kept, err = p.lookUp(ctx, plan); err != nil {
			return nil, false, fence.ClientError(err)
		}
		if kept != nil {
			if a, err = unpack(kept); err == nil {
				return a, false, nil
			}
		}
	}
	a, err = e.execute(ctx)
	if errors.Is(err, store.ErrMoved) {
		return nil, true, err
	}
	if err != nil || p.Fence == nil {
		return a, false, err
	}
	if e.calls() < 2 {
		e.keepAnswer(ctx, a)
		return a, false, nil
	}
	after, err := p.Fence.Lookup(ctx, "", plan.uuids())
	if err != nil {
		return nil, false, fence.ClientError(err)
	}
	if moved = !e.before.Quiet || !e.before.Vector.Equal(after.Vector); !moved {
		e.learn()
		e.keepAnswer(ctx, a)
	}
	return a, moved, nil
}

// uuids are the plan's indices.
func (p *Plan) uuids() []string {
	list := make([]string, len(p.shards))
	for i, s := range p.shards {
		list[i] = s.index.UUID
	}
	return list
}

// calls counts the calls that may have seen different moments; a snapshot of one call
// answers for its own.
func (e *execution) calls() (n int) {
	for i := range e.traces {
		n += e.traces[i].calls()
	}
	return n
}

// learn keeps what was found out about coverage at a moment that the fence vouches for.
func (e *execution) learn() {
	for i := range e.traces {
		for _, l := range e.traces[i].coverage {
			e.planner.ledger.sawCoverage(l, e.version(i))
		}
	}
}

// version is that of an index's documents when the execution began.
func (e *execution) version(i int) documentsVersion {
	v := e.before.Vector
	return documentsVersion{v.Incarnation, v.Indices[i].Data}
}

// covers tells whether an index is known to have no document that is uncovered for a
// field; without a fence nothing is.
func (e *execution) covers(i int) func(field string) bool {
	if e.planner.Fence == nil || !e.before.Quiet {
		return nil
	}
	return func(field string) bool {
		return e.planner.ledger.isCovered(fieldOf{e.plan.shards[i].index.UUID, field}, e.version(i))
	}
}

// documentsVersion is the state of an index's documents by the fence.
type documentsVersion struct{ incarnation, data uint64 }
