// Package planner turns searches into plans and answers them from snapshots.
//
// A request is parsed into a Plan: for each of its indices the core tree of its query,
// its sort and its aggregations, in a canonical form. Executing a Plan evaluates each
// index on columns, merges the pages, and fetches the documents of the one page that is
// the answer.
package planner

import (
	"math"
	"strconv"
	"time"

	genaggs "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/planner/aggs"
	"postern/planner/query"
)

// Plan is a parsed search, ready to be executed.
type Plan struct {
	shards  []*shardPlan
	reading reading
	key     string // under what the answer may be kept; "" for not at all

	from, size     int
	trackUpTo      int64 // matches counted; noTotal for none
	terminateAfter int64 // 0: not bounded
	timeout        time.Duration
	scored         bool // no sort but the score: hits carry scores, and the best is told
	trackScores    bool
	minScore       *float32
	namedScores    bool
	typedKeys      bool
	totalAsInt     bool
	hasAggs        bool
	noPartial      bool // allow_partial_search_results=false
	profile        bool
	parsed         time.Duration // how long it took to make the plan
	wide           bool          // scores count the documents of all indices: dfs_query_then_fetch
	preFilter      bool          // Elasticsearch leaves out indices that cannot match
	fetch          fetchPlan
	// shownSorts are the sort keys that hits show; those after them only break ties.
	shownSorts int
	// laterPage says that the matches were counted for a page before.
	laterPage bool
}

const (
	noTotal      = -1
	defaultTotal = 10000
	defaultSize  = 10
)

// shardPlan is a plan's part for one index.
type shardPlan struct {
	index *metadata.Index
	at    int // its place among the indices of the plan
	query query.Node
	post  query.Node // nil: none
	base  query.Node // nil: everything; else the aliases' filters, which are in query, too
	sort  []*sortField
	after []sortValue
	named []query.Named
	aggs  *aggs.Tree
	hits  *hitsPlanner // of aggs
	fetch fetchShard
	// mayMatch asks the index before it is searched; nil where Elasticsearch does not.
	mayMatch func(query.Reach) bool
	// others are the parts of the other indices, where scores count them, too.
	others [][]segment.Part
	// err is why the index cannot answer; others still may.
	err *eserr.Error
	// usedNow says that the plan depends on the moment it was made at.
	usedNow bool
}

// UsesNow tells that the answer depends on the moment at which the plan was made, so
// that it cannot be kept for a later request.
func (p *Plan) UsesNow() bool {
	for _, s := range p.shards {
		if s.usedNow {
			return true
		}
	}
	return false
}

// Key appends the plan's canonical bytes: equal plans of equal indices give equal
// answers on equal data.
func (p *Plan) Key(dst []byte) []byte {
	for _, v := range [...]int64{int64(p.from), int64(p.size), p.trackUpTo, p.terminateAfter, int64(p.timeout), int64(p.shownSorts)} {
		dst = append(strconv.AppendInt(dst, v, 10), ',')
	}
	for _, b := range [...]bool{p.scored, p.trackScores, p.namedScores, p.typedKeys, p.totalAsInt, p.profile, p.wide, p.preFilter} {
		dst = append(strconv.AppendBool(dst, b), ',')
	}
	if p.minScore != nil {
		dst = strconv.AppendUint(dst, uint64(math.Float32bits(*p.minScore)), 16)
	}
	dst = p.fetch.appendKey(append(dst, ';'))
	for _, s := range p.shards {
		dst = s.appendKey(append(dst, ';'))
	}
	return dst
}

func (s *shardPlan) appendKey(dst []byte) []byte {
	dst = strconv.AppendQuote(dst, s.index.UUID)
	// Some parts stand in the key as they were asked for: what they mean is up to these.
	dst = strconv.AppendInt(append(dst, ':'), s.index.MappingVersion, 10)
	dst = strconv.AppendInt(append(dst, ':'), s.index.SettingsVersion, 10)
	if s.err != nil {
		return s.err.AppendCause(dst)
	}
	dst = s.query.AppendKey(append(dst, ','))
	if s.post != nil {
		dst = s.post.AppendKey(append(dst, ",post="...))
	}
	for _, f := range s.sort {
		dst = f.appendKey(append(dst, ','))
	}
	for _, v := range s.after {
		dst = v.append(append(dst, ",after="...))
	}
	for _, n := range s.named {
		dst = n.Node.AppendKey(append(strconv.AppendQuote(append(dst, ','), n.Name), '='))
	}
	if s.aggs != nil {
		dst = s.aggs.AppendKey(append(dst, ",aggs="...))
	}
	if s.mayMatch != nil { // clauses of equal meaning may count differently as skipped
		for _, all := range [...]bool{false, true} {
			dst = strconv.AppendBool(append(dst, ",may="...), s.mayMatch(func(string, int64, int64) bool { return all }))
		}
	}
	return dst
}

// scoring tells what the scores of hits are needed for.
func (p *Plan) needScores(s *shardPlan) bool {
	if p.minScore != nil || p.trackScores || p.scored {
		return true
	}
	for _, f := range s.sort {
		if f.kind == sortScore {
			return true
		}
	}
	return false
}

// onlyScore tells that a sort is no more than the default one.
func onlyScore(options []genaggs.SortOption) bool {
	if len(options) == 0 {
		return true
	}
	s := &options[0]
	return len(options) == 1 && s.Kind == genaggs.SortOptionKindScore && (s.Score == nil || s.Score.Order != genaggs.SortOrderAsc)
}
