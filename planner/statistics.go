package planner

import "context"

// shareStatistics holds a snapshot of every index before the first is evaluated, and lets
// each know the others' documents.
func (e *execution) shareStatistics(ctx context.Context) error {
	for i, s := range e.plan.shards {
		if s.err != nil || e.snapshots[i] != nil {
			continue
		}
		snap, err := e.planner.Documents.Snapshot(ctx, s.index, e.hold)
		if err != nil {
			return err
		}
		e.snapshots[i] = snap
		e.traces[i].read(snap)
	}
	for i, s := range e.plan.shards {
		s.others = nil
		for j, snap := range e.snapshots {
			if j != i && snap != nil {
				s.others = append(s.others, snap.Parts())
			}
		}
	}
	return nil
}
