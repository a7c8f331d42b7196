package planner

import (
	"context"
	"math"

	genaggs "postern/generated/aggs"
	"postern/generated/api"
	genquery "postern/generated/query"
	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
	"postern/planner/query"
)

// defaultPreFilter is how many indices a search may have before Elasticsearch first asks
// each whether it can match at all.
const defaultPreFilter = 128

// preFiltered tells whether Elasticsearch would ask the indices of a search first, and
// leave out those that cannot match. Here that saves nothing, but they are counted.
func preFiltered(targets []metadata.Resolved, r *api.SearchRequest, options []genaggs.SortOption) bool {
	if len(targets) < 2 || r.SearchType == api.SearchTypeDfsQueryThenFetch {
		return false
	}
	byField := len(options) > 0 && options[0].Kind != genaggs.SortOptionKindScore
	most := defaultPreFilter
	switch {
	case r.PreFilterShardSize != nil:
		most = *r.PreFilterShardSize
	case byField || readOnly(targets):
		most = 1
	}
	return len(targets) > most && (byField || selective(r))
}

func readOnly(targets []metadata.Resolved) bool {
	for i := range targets {
		if targets[i].Index.Allow(metadata.WriteDocuments) != nil {
			return true
		}
	}
	return false
}

// selective tells that the query decides whether an index is needed: its aggregations do
// not ask for all documents.
func selective(r *api.SearchRequest) bool {
	q := r.Body.Query
	if q == nil || q.Kind == genquery.KindMatchAll || r.Q != nil {
		return false
	}
	for i := range r.Body.Aggregations {
		a := &r.Body.Aggregations[i].Value
		if a.Kind == genaggs.KindGlobal || a.Kind == genaggs.KindTerms && a.Terms.MinDocCount != nil && *a.Terms.MinDocCount == 0 {
			return false
		}
	}
	return true
}

// mayMatch is how the index of s is asked; nil where it is not.
func mayMatch(c *query.Context, r *api.SearchRequest, filters []*genquery.QueryContainer) func(query.Reach) bool {
	return func(reach query.Reach) bool {
		if selective(r) && !query.CanMatch(c, r.Body.Query, reach) {
			return false
		}
		for _, f := range filters {
			if query.CanMatch(c, f, reach) {
				return true
			}
		}
		return len(filters) == 0
	}
}

// skipped counts the indices that cannot match. One of them answers for all when none can.
func (e *execution) skipped(ctx context.Context) int {
	n := 0
	for i, s := range e.plan.shards {
		if s.mayMatch != nil && s.err == nil && !s.mayMatch(e.reach(ctx, i)) {
			n++
		}
	}
	return max(0, min(n, len(e.plan.shards)-1))
}

// reach asks an index for its dates: a store's engine, which need not have given all
// documents, or the documents.
func (e *execution) reach(ctx context.Context, i int) query.Reach {
	engine, ok := e.planner.Documents.(store.Engine)
	if !ok || e.hold != store.HoldForRequest {
		return reachOf(e.snapshots[i].Parts())
	}
	return func(field string, lo, hi int64) bool {
		for _, r := range [...]store.Range{{Field: field, From: math.Inf(-1), To: float64(hi)}, {Field: field, From: float64(lo), To: math.Inf(1)}} {
			if n, err := engine.Count(ctx, e.plan.shards[i].index, r); err == nil && n == 0 {
				return false
			}
		}
		return true
	}
}

func reachOf(parts []segment.Part) query.Reach {
	return func(field string, lo, hi int64) bool {
		early, late := false, false
		for _, p := range parts {
			if dates := p.Segment.Long(field); dates != nil {
				early, late = early || dates.Min() <= hi, late || dates.Max() >= lo
			}
		}
		return early && late
	}
}
