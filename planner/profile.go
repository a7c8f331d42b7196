package planner

import (
	"fmt"
	"strconv"
	"time"

	"postern/internal/jsonx"
)

// profile is the profile member of an answer: for each index how it was answered, in the
// shape in which Elasticsearch tells that. The query is the way that was taken; its
// children are what was decided, the calls of the store, and the rules that saved work.
func (e *execution) profile() []byte {
	dst := []byte(`{"shards":[`)
	first := true
	for i, s := range e.plan.shards {
		if e.results[i] == nil {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = e.appendShard(dst, i, s)
	}
	return append(dst, `]}`...)
}

func (e *execution) appendShard(dst []byte, i int, s *shardPlan) []byte {
	node := e.planner.Node
	dst = jsonx.AppendString(append(dst, `{"id":`...), "["+node+"]["+s.index.Name+"][0]")
	dst = jsonx.AppendString(append(dst, `,"node_id":`...), node)
	dst = jsonx.AppendString(append(dst, `,"shard_id":0,"index":`...), s.index.Name)
	dst = append(dst, `,"cluster":"(local)","searches":[{"query":[`...)
	dst = e.way(i, s).append(dst)
	dst = appendNanos(append(dst, `],"rewrite_time":`...), e.plan.parsed)
	dst = e.appendCollector(append(dst, `,"collector":[`...), i, s)
	dst = append(dst, `]}],"aggregations":[`...)
	if s.aggs != nil {
		for j, t := range s.aggs.Timings() {
			if j > 0 {
				dst = append(dst, ',')
			}
			a := profiled{kind: t.Type, description: t.Name, took: t.Took, breakdown: aggregationBreakdown(), amounts: map[string]int64{
				"collect": t.Took.Nanoseconds(), "collect_count": e.results[i].matched, "initialize_count": 1, "build_aggregation_count": 1}}
			dst = a.append(dst)
		}
	}
	dst = append(dst, ']')
	if len(e.results[i].found) > 0 {
		f := profiled{kind: "fetch", took: e.fetched, breakdown: fetchBreakdown(), amounts: map[string]int64{
			"load_source": e.fetched.Nanoseconds(), "load_source_count": int64(len(e.results[i].found))}}
		dst = f.append(append(dst, `,"fetch":`...))
	}
	return append(dst, '}')
}

// profiled is one entry: what it was, how long it took, and a breakdown whose members
// are always the same, most of them 0.
type profiled struct {
	kind, description string
	took              time.Duration
	breakdown         []string
	amounts           map[string]int64
	children          []profiled
}

func (p *profiled) append(dst []byte) []byte {
	dst = jsonx.AppendString(append(dst, `{"type":`...), p.kind)
	dst = jsonx.AppendString(append(dst, `,"description":`...), p.description)
	dst = appendNanos(append(dst, `,"time_in_nanos":`...), p.took)
	dst = append(dst, `,"breakdown":{`...)
	for i, name := range p.breakdown {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(jsonx.AppendString(dst, name), ':'), p.amounts[name], 10)
	}
	dst = append(dst, '}')
	for i := range p.children {
		if i == 0 {
			dst = append(dst, `,"children":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = p.children[i].append(dst)
	}
	if len(p.children) > 0 {
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendNanos(dst []byte, d time.Duration) []byte {
	return strconv.AppendInt(dst, d.Nanoseconds(), 10)
}

// The members of breakdowns, in Elasticsearch's order.

func queryBreakdown() []string {
	return []string{"set_min_competitive_score_count", "match_count", "shallow_advance_count", "set_min_competitive_score", "next_doc", "match",
		"next_doc_count", "score_count", "compute_max_score_count", "compute_max_score", "advance", "advance_count", "count_weight_count", "score",
		"build_scorer_count", "create_weight", "shallow_advance", "count_weight", "create_weight_count", "build_scorer"}
}

func aggregationBreakdown() []string {
	return []string{"reduce", "build_aggregation_count", "post_collection", "reduce_count", "initialize_count", "collect_count", "post_collection_count",
		"build_leaf_collector", "build_aggregation", "build_leaf_collector_count", "initialize", "collect"}
}

func fetchBreakdown() []string {
	return []string{"load_stored_fields", "load_source", "load_stored_fields_count", "next_reader_count", "load_source_count", "next_reader"}
}

// way is the entry of how an index was answered.
func (e *execution) way(i int, s *shardPlan) *profiled {
	t, r := &e.traces[i], e.results[i]
	p := &profiled{kind: t.choice.String(), description: string(s.query.AppendKey(nil)), breakdown: queryBreakdown(), amounts: map[string]int64{
		"match": r.phases[matching].Nanoseconds(), "match_count": r.matched, "score": r.phases[scoring].Nanoseconds()}}
	if r.scorer != nil {
		p.amounts["score_count"] = r.matched
	}
	child := func(kind, description string, took time.Duration, count int64) {
		p.children = append(p.children, profiled{kind: kind, description: description, took: took, breakdown: queryBreakdown(),
			amounts: map[string]int64{"next_doc": took.Nanoseconds(), "next_doc_count": count}})
		p.took += took
	}
	if t.split.Pushed != nil {
		child("split", t.describeSplit(), 0, 0)
		child("choice", t.describeChoice(), 0, 0)
	}
	for _, s := range t.steps {
		call := s.call
		if s.err != nil {
			call += ": " + s.err.Error()
		}
		child(s.rule.String(), call, s.took, s.count)
	}
	if t.choice == snapshot {
		child("snapshot", "all documents", t.snapshotTook, 0)
	}
	if r.walked {
		child(WalkOrder.String(), s.sort[0].name, r.phases[picking], int64(len(r.found)))
	}
	p.took += r.phases[matching] + r.phases[scoring]
	return p
}

func (t *trace) describeSplit() string {
	text := t.split.Exactness.String() + ": " + t.split.Pushed.String()
	if t.split.Residual != nil {
		text += "; evaluated here: " + string(t.split.Residual.AppendKey(nil)) + ", because of " + t.split.Why
	}
	return text
}

func (t *trace) describeChoice() string {
	text := t.choice.String()
	if t.why != "" {
		text += ", not push: " + t.why
	}
	if t.push > 0 {
		text += fmt.Sprintf(", push estimated at %.2f ms", t.push)
	}
	if t.scanCost > 0 {
		text += fmt.Sprintf(", scan at %.2f ms of %d documents", t.scanCost, t.weight.Documents)
	}
	if t.weight.Near {
		text += " that are in memory"
	}
	if t.attempts > 1 {
		text += fmt.Sprintf(", attempt %d", t.attempts)
	}
	return text
}

func (e *execution) appendCollector(dst []byte, i int, s *shardPlan) []byte {
	r := e.results[i]
	name, reason := "PartialHitCountCollector", "search_count"
	switch {
	case e.plan.size > 0 && e.plan.scored:
		name, reason = "SimpleTopScoreDocCollector", "search_top_hits"
	case e.plan.size > 0:
		name, reason = "SimpleFieldCollector", "search_top_hits"
	}
	total := r.phases[picking] + r.phases[collecting]
	dst = appendNanos(append(dst, `{"name":"QueryPhaseCollector","reason":"search_query_phase","time_in_nanos":`...), total)
	dst = append(dst, `,"children":[{"name":"`+name+`","reason":"`+reason+`","time_in_nanos":`...)
	dst = append(appendNanos(dst, r.phases[picking]), '}')
	if s.aggs != nil {
		names := ""
		for j, t := range s.aggs.Timings() {
			if j > 0 {
				names += ", "
			}
			names += t.Name
		}
		dst = jsonx.AppendString(append(dst, `,{"name":`...), "AggregatorCollector: ["+names+"]")
		dst = appendNanos(append(dst, `,"reason":"aggregation","time_in_nanos":`...), r.phases[collecting])
		dst = append(dst, '}')
	}
	return append(dst, `]}`...)
}
