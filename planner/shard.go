package planner

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/planner/query"
)

// shardResult is what one index contributes before the documents are fetched.
type shardResult struct {
	matched    int64
	found      []found
	maxScore   float32
	any        bool // maxScore is set
	terminated bool
	timedOut   bool
	scorer     *query.Scorer
	exec       *query.Exec
	phases     [phaseCount]time.Duration
	walked     bool
}

// phase is a part of evaluating an index.
type phase uint8

const (
	matching phase = iota
	scoring
	collecting // aggregations
	picking    // the page
	phaseCount
)

// lap ends a phase that began at start, and begins the next.
func (r *shardResult) lap(p phase, start *time.Time) {
	now := time.Now()
	r.phases[p] += now.Sub(*start)
	*start = now
}

// shardRun evaluates one index's part of a plan on a snapshot.
type shardRun struct {
	plan    *Plan
	shard   *shardPlan
	rules   RuleSet
	buffers *buffers
	x       *query.Exec
	scorer  *query.Scorer // nil when nothing asks for scores
	left    int64         // documents still to be collected under terminate_after
	result  *shardResult
	best    []partPage
	// scores of the part at hand, used again for the next.
	scores []float32
}

// partPage is the page of one part.
type partPage []found

func (p *Plan) runShard(ctx context.Context, s *shardPlan, parts []segment.Part, rules RuleSet, buffers *buffers) (*shardResult, error) {
	if p.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.timeout, errTimeout)
		defer cancel()
	}
	r := &shardRun{plan: p, shard: s, rules: rules, x: buffers.query.NewExec(ctx, parts), buffers: buffers, left: p.terminateAfter, result: &shardResult{}}
	r.result.exec = r.x
	r.x.SetBase(s.base)
	r.x.ShareStatistics(s.others)
	defer r.giveBack()
	err := r.run()
	if err != nil && errors.Is(context.Cause(ctx), errTimeout) && errors.Is(err, context.DeadlineExceeded) {
		r.result.timedOut, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if err := part.Err(); err != nil {
			return nil, err
		}
	}
	r.result.found = mergePages(s.sort, r.best, p.from+p.size)
	return r.result, nil
}

// errTimeout marks the end of a search's own timeout, which answers with what was found
// until then.
var errTimeout = errors.New("search timeout")

func (r *shardRun) run() error {
	if r.rules.On(SkipIndices) && query.IsMatchNone(r.shard.query) && r.shard.aggs == nil {
		return nil
	}
	if r.plan.needScores(r.shard) || !r.rules.On(SkipScores) {
		scorer, err := query.NewScorer(r.x, r.shard.query)
		if err != nil {
			return err
		}
		r.scorer, r.result.scorer = scorer, scorer
	}
	page := &pager{x: r.x, sort: r.shard.sort, size: r.plan.from + r.plan.size, after: r.shard.after, rules: r.rules}
	if r.scorer != nil {
		_, page.oneScore = r.scorer.Constant()
	}
	for i, part := range r.x.Parts() {
		if r.plan.laterPage && r.plan.terminateAfter == 0 && page.passed(part) {
			page.base += uint32(part.Len())
			continue
		}
		if err := r.part(page, i, part); err != nil {
			return err
		}
		page.base += uint32(part.Len())
		if r.plan.terminateAfter > 0 && r.left <= 0 {
			break
		}
	}
	if r.shard.aggs != nil {
		return r.shard.aggs.Finish(r.x)
	}
	return nil
}

func (r *shardRun) part(page *pager, i int, part segment.Part) error {
	start := time.Now()
	docs, err := query.Match(r.x, r.shard.query, part)
	if err != nil {
		return err
	}
	r.result.lap(matching, &start)
	if docs, err = r.scoreFilter(part, docs); err != nil {
		return err
	}
	r.result.lap(scoring, &start)
	if !r.counted() {
		docs = r.bound(docs)
	}
	if r.shard.aggs != nil {
		if err := r.shard.aggs.Collect(r.x, part, docs); err != nil {
			return err
		}
		r.result.lap(collecting, &start)
	}
	if r.shard.post != nil {
		post, err := query.Match(r.x, r.shard.post, part)
		if err != nil {
			return err
		}
		docs = roaring.And(docs, post)
		r.result.lap(matching, &start)
	}
	r.result.matched += int64(docs.GetCardinality())
	if !r.paged() {
		return nil
	}
	r.trackMax(docs)
	some, err := page.pick(part, docs, r.scores)
	if err != nil {
		return err
	}
	r.result.lap(picking, &start)
	r.result.walked = page.walked
	for j := range some {
		some[j].part = i
		if r.scorer != nil {
			some[j].score = r.scores[some[j].doc]
		}
	}
	r.best = append(r.best, some)
	return nil
}

// buffers lend searches their memory.
type buffers struct {
	query  query.Buffers
	scores sync.Pool
}

func (b *buffers) scoresFor(n int) []float32 {
	if s, ok := b.scores.Get().(*[]float32); ok && cap(*s) >= n {
		return *s
	}
	return make([]float32, n)
}

func (r *shardRun) giveBack() {
	if r.scores != nil {
		scores := r.scores
		r.scores = nil
		r.buffers.scores.Put(&scores)
	}
}

// scoreFilter scores the matches, if anything needs scores, and drops those below
// min_score.
func (r *shardRun) scoreFilter(part segment.Part, docs *roaring.Bitmap) (*roaring.Bitmap, error) {
	if r.scorer == nil || !r.paged() && r.plan.minScore == nil {
		return docs, nil
	}
	if n := part.Len(); cap(r.scores) < n {
		r.giveBack()
		r.scores = r.buffers.scoresFor(n)
	}
	r.scores = r.scores[:part.Len()]
	if err := r.scorer.Score(part, docs, r.scores); err != nil {
		return nil, err
	}
	least := r.plan.minScore
	if least == nil {
		return docs, nil
	}
	kept := roaring.New()
	for it := docs.Iterator(); it.HasNext(); {
		if doc := it.Next(); r.scores[doc] >= *least {
			kept.Add(doc)
		}
	}
	return kept, nil
}

// counted tells that Elasticsearch knows the number of matches without collecting them,
// so that terminate_after has nothing to end.
func (r *shardRun) counted() bool {
	s := r.shard
	if r.plan.size > 0 || s.aggs != nil || s.post != nil || r.plan.minScore != nil {
		return false
	}
	if query.IsMatchAll(s.query) {
		return !s.index.Mapping.HasNested("*")
	}
	for _, p := range r.x.Parts() {
		if p.Live != nil {
			return false
		}
	}
	return query.IsTerm(s.query)
}

// bound cuts the matches to what terminate_after still allows.
func (r *shardRun) bound(docs *roaring.Bitmap) *roaring.Bitmap {
	if r.plan.terminateAfter == 0 {
		return docs
	}
	n := int64(docs.GetCardinality())
	if n < r.left {
		r.left -= n
		return docs
	}
	// Elasticsearch notices that it is done at the document after the last.
	r.result.terminated = n > r.left
	first := make([]uint32, r.left)
	docs.ManyIterator().NextMany(first)
	r.left = 0
	return roaring.BitmapOf(first...)
}

// paged tells that documents are picked, not only counted.
func (r *shardRun) paged() bool { return r.plan.size > 0 || !r.rules.On(CountOnly) }

// trackMax keeps the best score of all hits, on the page or not.
func (r *shardRun) trackMax(docs *roaring.Bitmap) {
	if r.scorer == nil || !(r.plan.scored || r.plan.trackScores) || docs.IsEmpty() {
		return
	}
	best := float32(0)
	if c, ok := r.scorer.Constant(); ok {
		best = c
	} else {
		var buf [batch]uint32
		it := docs.ManyIterator()
		for n := it.NextMany(buf[:]); n > 0; n = it.NextMany(buf[:]) {
			for _, doc := range buf[:n] {
				best = max(best, r.scores[doc])
			}
		}
	}
	if !r.result.any || best > r.result.maxScore {
		r.result.maxScore, r.result.any = best, true
	}
}

// elapsed is the time since start in whole milliseconds.
func elapsed(start time.Time) int64 { return time.Since(start).Milliseconds() }
