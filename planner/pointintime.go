package planner

import (
	"context"
	"time"

	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/metadata"
	"postern/internal/store"
)

// PointInTime are indices as searches saw them at one moment. It is safe for concurrent
// use until it is released.
type PointInTime struct {
	targets []metadata.Resolved // by name
	held    []store.Snapshot
}

// OpenPointInTime holds what searches see of indices now, which is to be released.
func (p *Planner) OpenPointInTime(ctx context.Context, targets []metadata.Resolved) (*PointInTime, error) {
	t := &PointInTime{targets: byName(targets)}
	for _, target := range t.targets {
		snap, err := p.Documents.Snapshot(ctx, target.Index, store.HoldForContext)
		if err != nil {
			t.Release()
			return nil, err
		}
		t.held = append(t.held, snap)
	}
	return t, nil
}

// SearchPoint answers a search of a point in time. Mappings and settings are the present
// ones; an index that is no more cannot answer.
func (p *Planner) SearchPoint(ctx context.Context, t *PointInTime, state *metadata.State, r *api.SearchRequest) (*Answer, error) {
	start := time.Now()
	targets := make([]metadata.Resolved, len(t.targets))
	gone := make([]bool, len(t.targets))
	for i, target := range t.targets {
		if now := state.Index(target.Index.Name); now != nil && now.UUID == target.Index.UUID {
			target.Index = now
		} else {
			gone[i] = true
		}
		targets[i] = target
	}
	plan, err := Parse(targets, r, p.now())
	if err != nil {
		return nil, err
	}
	for i, s := range plan.shards {
		if gone[i] {
			s.err = eserr.NoShardAvailable()
		}
	}
	if err := plan.failedEverywhere(p.Node); err != nil {
		return nil, err
	}
	e := p.newExecution(plan)
	e.hold = store.HoldForContext
	copy(e.snapshots, t.held)
	defer e.end()
	a, err := e.execute(ctx)
	if err != nil {
		return nil, err
	}
	a.TookMillis = elapsed(start)
	return a, nil
}

// Indices lists the uuids of the indices that are held.
func (t *PointInTime) Indices() []string {
	uuids := make([]string, len(t.targets))
	for i := range t.targets {
		uuids[i] = t.targets[i].Index.UUID
	}
	return uuids
}

// Release gives back what the point holds.
func (t *PointInTime) Release() { releaseAll(t.held) }
