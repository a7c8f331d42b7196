package planner

import (
	"context"
	"time"

	"postern/internal/store"
	"postern/planner/query"
)

// answerIndex finds one index's part of the answer in the cheapest way: by asking the
// store's engine, by evaluating what may match, or by evaluating everything.
func (e *execution) answerIndex(ctx context.Context, i int, s *shardPlan) error {
	engine, ok := e.planner.Documents.(store.Engine)
	if !ok || e.hold != store.HoldForRequest || e.plan.wide {
		return e.evaluateAll(ctx, i, s)
	}
	d := &pushdown{
		trace: &e.traces[i], plan: e.plan, shard: s, engine: engine, rules: e.planner.Rules,
		buffers: &e.planner.buffers, ledger: &e.planner.ledger, covered: e.covers(i),
	}
	d.matches = split(s.query)
	d.hits = d.matches.and(s.post)
	d.trace.split = d.hits
	return e.ask(ctx, i, d)
}

// evaluateAll evaluates all documents, those of a snapshot that is held if there is one.
func (e *execution) evaluateAll(ctx context.Context, i int, s *shardPlan) error {
	if held := e.snapshots[i]; held != nil {
		return e.run(ctx, i, s, held)
	}
	start := time.Now()
	snap, err := e.planner.Documents.Snapshot(ctx, s.index, e.hold)
	if err != nil {
		return err
	}
	e.traces[i].snapshotTook = time.Since(start)
	e.traces[i].read(snap)
	return e.run(ctx, i, s, snap)
}

func (e *execution) ask(ctx context.Context, i int, d *pushdown) error {
	s := d.shard
	want, local := d.columns(true)
	if local && query.IsMatchNone(s.query) && d.rules.On(SkipIndices) {
		return e.run(ctx, i, s, &union{})
	}
	if most, ok := onlyIDs(d.matches.Pushed); ok && local && most <= maxCompletion && d.rules.On(PointRead) {
		if done, err := e.pointRead(ctx, i, d, want, most); done || err != nil {
			return err
		}
	}
	d.choose(local)
	if d.choice == pushed {
		result, snap, err := d.run(ctx)
		if !notPushed(err) {
			if snap != nil {
				e.snapshots[i] = snap
			}
			return e.keep(i, s, result, err)
		}
		d.why = err.Error()
		if s.aggs != nil {
			s.aggs.Reset()
		}
		if d.choice = snapshot; local && d.scannable() {
			d.choice = scanned
		}
	}
	if d.choice == scanned {
		snap, err := d.scan(ctx, want)
		if err == nil {
			return e.run(ctx, i, s, snap)
		}
		if !notPushed(err) {
			return err
		}
		d.choice = snapshot
	}
	return e.evaluateAll(ctx, i, s)
}

// choose decides by cost between the ways that are open.
func (d *pushdown) choose(local bool) {
	w := d.engine.Weigh(d.shard.index)
	if w.Documents == 0 { // none, or nobody has counted them
		w.Documents = measuredAt
	}
	why := d.refuse()
	if why == "" {
		d.push = d.estimate(w)
	}
	page := 0
	if d.paged() {
		page = d.need()
	}
	d.scanCost = costOfScan(w.Documents, true, page)
	var near func(more, scan cost) bool
	if d.rules.On(UseNear) {
		near = func(more, scan cost) bool { return d.ledger.worthKeeping(d.shard.index.UUID, more, scan) }
	}
	d.weight, d.why = w, why
	d.choice = choose(w, why == "", local && d.scannable(), d.push, d.scanCost, page, near)
}

// scannable tells that a scan reads less than all documents.
func (d *pushdown) scannable() bool {
	_, all := d.matches.Pushed.(store.All)
	return !all && d.rules.On(PushCandidates)
}

func (d *pushdown) scan(ctx context.Context, want store.Columns) (snap store.Snapshot, err error) {
	err = d.step(PushCandidates, func() string { return "scan " + d.matches.Pushed.String() }, func() (n int64, err error) {
		if snap, err = d.engine.Scan(ctx, d.shard.index, d.matches.Pushed, want); err != nil {
			return 0, err
		}
		for _, p := range snap.Parts() {
			n += int64(len(liveDocs(p)))
		}
		return n, nil
	})
	if err == nil {
		d.trace.read(snap)
	}
	return snap, err
}

// pointRead evaluates the documents that the query names.
func (e *execution) pointRead(ctx context.Context, i int, d *pushdown, want store.Columns, most int) (done bool, err error) {
	c := &candidates{pushdown: d, want: want}
	_, _, err = c.page(ctx, PointRead, d.matches.Pushed, store.Order{Field: "_seq_no"}, most)
	if notPushed(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	d.choice = pushed
	return true, e.run(ctx, i, d.shard, c.snapshot())
}
