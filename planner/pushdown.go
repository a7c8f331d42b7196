package planner

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"postern/internal/store"
	"postern/planner/aggs"
	"postern/planner/query"
)

// pushdown answers one index's part of a plan by a store's engine: each operator where it
// is exact, all of them at the same time.
type pushdown struct {
	*trace
	plan    *Plan
	shard   *shardPlan
	engine  store.Engine
	rules   RuleSet
	buffers *buffers
	ledger  *ledger
	// hits are the documents of the page and the total, matches those of the aggregations.
	matches, hits Split
	keys          []pushKey
	questions     []aggs.Question
	// covered tells that no document of the index is uncovered for a field; nil when that
	// has to be asked.
	covered func(field string) bool
}

// need is how many documents a page takes from the beginning of the order.
func (d *pushdown) need() int { return d.plan.from + d.plan.size }

// paged and counted tell what the answer shows.
func (d *pushdown) paged() bool   { return d.plan.size > 0 }
func (d *pushdown) counted() bool { return d.plan.trackUpTo != noTotal }

// refuse tells why the part can't be answered by operators; empty when it can.
func (d *pushdown) refuse() string {
	p, s := d.plan, d.shard
	switch {
	case p.terminateAfter > 0:
		return "terminate_after"
	case p.minScore != nil:
		return "min_score"
	case p.namedScores:
		return "scores of named queries"
	case d.scores() && !query.SameScore(s.query):
		return "scores that depend on the index"
	case p.trackScores && s.after != nil:
		return "the best score of all"
	}
	if d.counted() {
		switch {
		case d.hits.Exactness < query.Exact:
			return d.hits.Why
		case !d.rules.On(PushCounts):
			return PushCounts.String() + " is off"
		}
	}
	if d.paged() {
		var ok bool
		d.keys, ok = pushKeys(s.sort, query.SameScore(s.query), s.after != nil)
		switch {
		case d.hits.Exactness < query.Exact:
			return d.hits.Why
		case !d.rules.On(PushPage):
			return PushPage.String() + " is off"
		case !ok:
			return "a sort that depends on all documents"
		case len(d.keys) > 0 && !d.keys[0].ordered:
			return "a first sort key that is no number of the document"
		}
	}
	if s.aggs == nil {
		return ""
	}
	return d.refuseAggs()
}

func (d *pushdown) refuseAggs() (why string) {
	if d.matches.Exactness < query.Exact {
		return d.matches.Why
	}
	if d.questions, why = d.shard.aggs.Questions(); why != "" {
		return why
	}
	for _, q := range d.questions {
		rule := PushCounts
		if q.Facet != "" {
			rule = PushFacets
		}
		if !d.rules.On(rule) {
			return rule.String() + " is off"
		}
	}
	return ""
}

// scores tells that hits show scores, or are sorted by them.
func (d *pushdown) scores() bool { return d.plan.needScores(d.shard) }

// columns are those that the evaluator looks at. local tells that the documents which
// match are all it needs.
func (d *pushdown) columns(withAggs bool) (want store.Columns, local bool) {
	s := d.shard
	r := &query.Reading{}
	r.Node(s.query)
	if s.post != nil {
		r.Node(s.post)
	}
	for _, n := range s.named {
		r.Node(n.Node)
	}
	for _, f := range s.sort {
		r.Fields = append(r.Fields, f.field)
		for _, step := range f.steps {
			r.Fields = append(r.Fields, step.path)
			if step.filter != nil {
				r.Node(step.filter)
			}
		}
	}
	for _, v := range s.fetch.values {
		r.Field(v.field.Name)
	}
	local = !d.scores() || query.SameScore(s.query)
	local = local && !d.plan.namedScores && !slices.ContainsFunc(s.sort, func(f *sortField) bool { return f.kind == sortDoc })
	if withAggs && s.aggs != nil {
		local = s.aggs.Reads(r) && local
	}
	if r.Any {
		return store.Columns{All: true}, local
	}
	slices.Sort(r.Fields)
	return store.Columns{Fields: slices.Compact(r.Fields)}, local
}

// estimate is what the operators would cost.
func (d *pushdown) estimate(w store.Weight) cost {
	var calls []cost
	_, all := d.hits.Pushed.(store.All)
	if d.paged() {
		calls = append(calls, costOfPage(w.Documents, d.need()+1))
	}
	if d.counted() {
		calls = append(calls, costOfCount(w.Documents))
	}
	if len(d.coverage()) > 0 {
		calls = append(calls, costOfCount(w.Documents))
	}
	for _, q := range d.questions {
		if q.Facet == "" {
			calls = append(calls, costOfCount(w.Documents))
		} else {
			calls = append(calls, costOfFacet(w.Documents, d.ledger.valuesOf(d.shard.index.UUID, q.Facet), !all))
		}
	}
	return together(calls)
}

// coverage lists the fields of which it must be asked whether a document is uncovered.
func (d *pushdown) coverage() (fields []string) {
	if d.paged() {
		for _, k := range d.keys {
			if k.ordered && k.kind != sortSeqNo {
				fields = append(fields, k.column())
			}
		}
	}
	for _, q := range d.questions {
		if q.Facet != "" {
			fields = append(fields, q.Facet)
		}
	}
	slices.Sort(fields)
	return slices.DeleteFunc(slices.Compact(fields), func(f string) bool { return d.covered != nil && d.covered(f) })
}

// uncoveredIn is what is uncovered for any of some fields; nil for none.
func uncoveredIn(fields []string) store.Filter {
	var any store.Or
	for _, f := range fields {
		any = append(any, store.Uncovered{Field: f})
	}
	switch len(any) {
	case 0:
		return nil
	case 1:
		return any[0]
	}
	return any
}

// among is where uncovered documents are looked for: among the matches, or in the whole
// index (nil) when the fence lets that be remembered.
func (d *pushdown) among(fields []string) store.Filter {
	if d.covered == nil {
		return d.matches.Pushed
	}
	for _, f := range fields {
		if d.ledger.hasUncovered(fieldOf{d.shard.index.UUID, f}) {
			return d.matches.Pushed
		}
	}
	return nil
}

// maxValues is how many values a facet is asked for; with more a scan costs less.
const maxValues = 4096

// run asks the engine. Its errors are errScan, store.ErrNotPushed, and those of calls.
func (d *pushdown) run(ctx context.Context) (*shardResult, store.Snapshot, error) {
	var (
		total     int64
		page      = &candidates{pushdown: d, f: d.hits.Pushed, keys: d.keys}
		fields    = d.coverage()
		among     = d.among(fields)
		uncovered int64
	)
	page.want, _ = d.columns(false)
	group, calls := errgroup.WithContext(ctx)
	if d.paged() {
		group.Go(func() error { return page.collect(calls, d.shard.after, d.need()) })
	}
	if d.counted() {
		group.Go(func() (err error) { total, err = d.count(calls, d.hits.Pushed); return err })
	}
	if len(fields) > 0 {
		group.Go(func() (err error) {
			f := uncoveredIn(fields)
			if among != nil {
				f = both(among, f)
			}
			uncovered, err = d.count(calls, f)
			return err
		})
	}
	take := make([]func(), len(d.questions))
	for i := range d.questions {
		group.Go(func() (err error) { take[i], err = d.ask(calls, &d.questions[i]); return err })
	}
	err := group.Wait()
	defer func() {
		if err != nil {
			page.release()
		}
	}()
	if err == nil && d.covered != nil && among == nil {
		for _, f := range fields {
			d.trace.coverage = append(d.trace.coverage, learned{fieldOf{d.shard.index.UUID, f}, uncovered == 0})
		}
	}
	if err == nil && uncovered > 0 {
		err = d.complete(ctx, page, uncoveredIn(fields))
	}
	if err != nil {
		return nil, nil, err
	}
	for _, t := range take {
		t()
	}
	return d.evaluate(ctx, page, total)
}

// complete gathers the page again, knowing that some documents are not where the engine
// has them.
func (d *pushdown) complete(ctx context.Context, page *candidates, uncovered store.Filter) error {
	if slices.ContainsFunc(d.questions, func(q aggs.Question) bool { return q.Facet != "" }) {
		return errScan
	}
	page.release()
	page.held, page.parts, page.uncovered = nil, nil, uncovered
	return page.collect(ctx, d.shard.after, d.need())
}

// evaluate finds the page among the candidates.
func (d *pushdown) evaluate(ctx context.Context, page *candidates, total int64) (*shardResult, store.Snapshot, error) {
	if !d.paged() {
		return &shardResult{matched: total, exec: d.buffers.query.NewExec(ctx, nil)}, nil, nil
	}
	shard := *d.shard
	shard.aggs = nil // the engine has filled them
	snap := page.snapshot()
	result, err := d.plan.runShard(ctx, &shard, snap.Parts(), d.rules, d.buffers)
	if err != nil {
		return nil, nil, err
	}
	result.matched = total
	return result, snap, nil
}

func (d *pushdown) count(ctx context.Context, f store.Filter) (n int64, err error) {
	err = d.step(PushCounts, func() string { return "count " + f.String() }, func() (int64, error) {
		n, err = d.engine.Count(ctx, d.shard.index, f)
		return n, err
	})
	return n, err
}

// ask puts one question of the aggregations. Its answer is taken by the caller, one after
// the other, since several may be about one aggregation.
func (d *pushdown) ask(ctx context.Context, q *aggs.Question) (take func(), _ error) {
	f := both(d.matches.Pushed, q.Filter)
	if q.Facet == "" {
		n, err := d.count(ctx, f)
		return func() { q.Count(n) }, err
	}
	what := func() string { return "facet of " + q.Facet + " in " + f.String() }
	err := d.step(PushFacets, what, func() (int64, error) {
		list, err := d.engine.Facet(ctx, d.shard.index, f, q.Facet, maxValues)
		if err != nil {
			return 0, err
		}
		d.ledger.sawValues(d.shard.index.UUID, q.Facet, len(list))
		if len(list) == maxValues {
			return int64(len(list)), errScan
		}
		take = func() { q.Values(list) }
		return int64(len(list)), nil
	})
	return take, err
}

// notPushed tells errors that end in another way of answering.
func notPushed(err error) bool { return errors.Is(err, errScan) || errors.Is(err, store.ErrNotPushed) }
