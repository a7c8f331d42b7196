package planner

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/fence"
	"postern/internal/metadata"
	"postern/internal/store"
	"postern/planner/aggs"
)

// Planner answers searches from a store. It is safe for concurrent use.
type Planner struct {
	Documents store.Documents
	// Node is the node id that failures name.
	Node string
	// Rules are those in use.
	Rules RuleSet
	// Now is the clock; nil stands for the real one.
	Now func() time.Time
	// Fence knows what is written meanwhile; nil when nobody does.
	Fence fence.Fence
	// Cache keeps answers under that fence; nil for none.
	Cache Cache

	buffers buffers
	ledger  ledger
}

// Search answers a search over indices, which come from the expression of the request.
func (p *Planner) Search(ctx context.Context, targets []metadata.Resolved, r *api.SearchRequest) (*Answer, error) {
	start := time.Now()
	plan, err := Parse(byName(targets), r, p.now())
	if err != nil {
		return nil, err
	}
	if err := plan.failedEverywhere(p.Node); err != nil {
		return nil, err
	}
	plan.parsed, plan.key = time.Since(start), p.key(plan, r)
	answer, err := p.atOneMoment(ctx, plan)
	if err != nil {
		return nil, err
	}
	answer.TookMillis = elapsed(start)
	return answer, nil
}

// byName puts indices into the order in which ties break.
func byName(targets []metadata.Resolved) []metadata.Resolved {
	targets = slices.Clone(targets)
	slices.SortFunc(targets, func(a, b metadata.Resolved) int { return strings.Compare(a.Index.Name, b.Index.Name) })
	return targets
}

// failedEverywhere is the error of a search that no index can answer.
func (p *Plan) failedEverywhere(node string) error {
	failures := p.failures(node)
	if len(failures) == 0 || len(failures) < len(p.shards) {
		return nil
	}
	return eserr.SearchPhase("query", failures)
}

func (p *Plan) failures(node string) []eserr.ShardFailure {
	var list []eserr.ShardFailure
	for _, s := range p.shards {
		if s.err != nil {
			list = append(list, eserr.ShardFailure{Index: s.index.Name, Node: node, Cause: s.err})
		}
	}
	return list
}

// execution is one run of a plan: the snapshots it holds and what the indices found.
type execution struct {
	planner   *Planner
	plan      *Plan
	snapshots []store.Snapshot
	results   []*shardResult
	traces    []trace
	hold      store.Hold
	page      []found
	// before is what the fence knew when the execution began.
	before fence.Found
	// fetched is how long the documents of the page took.
	fetched time.Duration
}

func (p *Planner) newExecution(plan *Plan) *execution {
	n := len(plan.shards)
	return &execution{planner: p, plan: plan, snapshots: make([]store.Snapshot, n), results: make([]*shardResult, n), traces: make([]trace, n)}
}

// execute evaluates the plan on the snapshots that the execution has, and on new ones.
func (e *execution) execute(ctx context.Context) (*Answer, error) {
	p, plan := e.planner, e.plan
	if plan.wide {
		if err := e.shareStatistics(ctx); err != nil {
			return nil, err
		}
	}
	for i, s := range plan.shards {
		if s.err != nil {
			continue
		}
		if err := e.answerIndex(ctx, i, s); err != nil {
			return nil, store.ClientError(s.index, err)
		}
	}
	if err := plan.failedEverywhere(p.Node); err != nil {
		return nil, err
	}
	if failures := plan.failures(p.Node); plan.noPartial && len(failures) > 0 {
		return nil, eserr.PartialFailure(failures)
	}
	return e.answer(ctx)
}

// run evaluates one index on a snapshot.
func (e *execution) run(ctx context.Context, i int, s *shardPlan, snap store.Snapshot) error {
	e.snapshots[i] = snap
	if s.hits != nil {
		s.hits.begin(ctx, snap)
	}
	result, err := e.plan.runShard(ctx, s, snap.Parts(), e.planner.Rules, &e.planner.buffers)
	return e.keep(i, s, result, err)
}

// keep takes what an index contributes. A failure for a reason of its own is kept in the
// plan.
func (e *execution) keep(i int, s *shardPlan, result *shardResult, err error) error {
	if fault, ok := eserr.As(err); ok && fault.Status < 500 {
		s.err = fault
		return nil
	}
	if err != nil {
		return err
	}
	for j := range result.found {
		result.found[j].shard = i
	}
	e.results[i] = result
	return nil
}

// release gives everything back.
func (e *execution) release() {
	e.end()
	releaseAll(e.snapshots)
}

// end gives all back but the snapshots.
func (e *execution) end() {
	for _, r := range e.results {
		if r != nil && r.exec != nil {
			r.exec.Close()
		}
	}
}

func releaseAll(snapshots []store.Snapshot) {
	for _, s := range snapshots {
		if s != nil {
			s.Release()
		}
	}
}

// answer merges the indices' results and fetches the page.
func (e *execution) answer(ctx context.Context) (*Answer, error) {
	plan := e.plan
	failures := plan.failures(e.planner.Node)
	a := &Answer{
		Shards:     Shards{Total: len(plan.shards), Skipped: e.skipped(ctx), Failed: len(failures), Failures: eserr.GroupFailures(failures)},
		TotalAsInt: plan.totalAsInt,
	}
	var err error
	if e.page, err = e.cutPage(); err != nil {
		return nil, err
	}
	e.total(a)
	e.maxScore(a)
	start := time.Now()
	if a.Hits, err = e.fetch(ctx, e.page); err != nil {
		return nil, err
	}
	e.fetched = time.Since(start)
	if plan.hasAggs {
		if a.Aggregations, err = e.aggregations(); err != nil {
			return nil, err
		}
	}
	if plan.profile {
		a.Profile = e.profile()
	}
	return a, nil
}

// cutPage merges the pages of the indices and cuts the asked one out.
func (e *execution) cutPage() ([]found, error) {
	var all []found
	var sort []*sortField
	for i, r := range e.results {
		if r == nil {
			continue
		}
		this := e.plan.shards[i].sort
		if err := sameSorts(sort, this); err != nil {
			return nil, err
		}
		sort = this
		all = append(all, r.found...)
	}
	if len(e.results) > 1 {
		slices.SortStableFunc(all, func(a, b found) int { return compareFound(sort, &a, &b) })
	}
	if e.plan.size == 0 || e.plan.from >= len(all) {
		return nil, nil
	}
	return all[e.plan.from:min(len(all), e.plan.from+e.plan.size)], nil
}

// sameSorts refuses to order texts among numbers.
func sameSorts(a, b []*sortField) error {
	for i := range a {
		if (a[i].out == stringValue) == (b[i].out == stringValue) {
			continue
		}
		names := [2]string{"LONG", "STRING"}
		if a[i].out == stringValue {
			names[0], names[1] = names[1], names[0]
		}
		cause := eserr.IllegalArgument("Can't sort on field [%s]; the field has incompatible sort types: [%s] and [%s] across shards!", a[i].name, names[0], names[1])
		return eserr.ReducePhase(cause)
	}
	return nil
}

func (e *execution) total(a *Answer) {
	var n int64
	for _, r := range e.results {
		if r == nil {
			continue
		}
		n += r.matched
		a.TimedOut = a.TimedOut || r.timedOut
		if e.plan.terminateAfter > 0 || e.plan.countsAll() {
			early := r.terminated || a.TerminatedEarly != nil && *a.TerminatedEarly
			a.TerminatedEarly = &early
		}
	}
	if e.plan.trackUpTo == noTotal {
		return
	}
	a.Total = Total{Tracked: true, Value: n}
	if n > e.plan.trackUpTo {
		a.Total.Value, a.Total.AtLeast = e.plan.trackUpTo, true
	}
}

// countsAll tells that a search is an exact count and nothing else, of which
// Elasticsearch says that it did not end early.
func (p *Plan) countsAll() bool {
	return p.size == 0 && p.trackUpTo == math.MaxInt64 && !p.hasAggs
}

func (e *execution) maxScore(a *Answer) {
	if len(e.plan.shards) == 0 {
		a.MaxScore = new(float32) // what Elasticsearch says of no index at all
		return
	}
	if e.plan.size == 0 || !e.plan.scored && !e.plan.trackScores {
		return
	}
	for _, r := range e.results {
		if r != nil && r.any && (a.MaxScore == nil || r.maxScore > *a.MaxScore) {
			best := r.maxScore
			a.MaxScore = &best
		}
	}
}

// aggregations reduces the indices' aggregations into one.
func (e *execution) aggregations() ([]byte, error) {
	var first *aggs.Tree
	for i, s := range e.plan.shards {
		switch {
		case e.results[i] == nil:
		case first == nil:
			first = s.aggs
		default:
			first.Merge(s.aggs)
		}
	}
	if first == nil {
		return nil, nil
	}
	out, err := first.AppendJSON(nil, e.plan.typedKeys)
	if fault, ok := eserr.As(err); ok {
		return nil, eserr.ReducePhase(fault)
	}
	return out, err
}

func (p *Planner) now() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}
