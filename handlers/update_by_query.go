package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/mutate"
	"postern/planner"
)

// UpdateByQuery writes again what a search finds, unless it was written meanwhile: fields
// that were mapped since are then searchable.
func (b *ByQuery) UpdateByQuery(ctx context.Context, r *api.UpdateByQueryRequest) (routes.Answer, error) {
	if err := refusePipeline(r.Pipeline); err != nil {
		return nil, err
	}
	if err := refuseScript("update_by_query", r.Body.Script); err != nil {
		return nil, err
	}
	search, err := found(r.Index, r.ScrollSize)
	if err != nil {
		return nil, err
	}
	search.AllowNoIndices, search.IgnoreUnavailable, search.ExpandWildcards = r.AllowNoIndices, r.IgnoreUnavailable, r.ExpandWildcards
	search.Q, search.Df, search.Analyzer, search.AnalyzeWildcard = r.Q, r.Df, r.Analyzer, r.AnalyzeWildcard
	search.DefaultOperator, search.Lenient = r.DefaultOperator, r.Lenient
	search.Routing, search.TerminateAfter, search.Timeout = r.Routing, r.TerminateAfter, r.SearchTimeout
	search.Body.Query, search.Body.Slice = r.Body.Query, r.Body.Slice
	if r.Sort != nil {
		search.Body.Sort, search.Sort = nil, r.Sort
	}
	proceed := r.Conflicts == api.ConflictsProceed || r.Body.Conflicts == api.ConflictsProceed
	w := &rewrite{search: search, proceed: proceed, refresh: deref(r.Refresh), op: again, showUpdated: true}
	if w.maxDocs, err = maxDocs(r.MaxDocs, r.Body.MaxDocs); err != nil {
		return nil, err
	}
	return b.answer(ctx, w, r.RequestsPerSecond, r.Slices, r.WaitForCompletion)
}

// again writes a document as it was found.
func again(h *planner.Hit) mutate.Op {
	return mutate.Op{Action: mutate.Index, Index: h.Index, ID: h.ID, GivenID: true, Routing: h.Routing, Source: h.Source, IfSeqNo: &h.SeqNo, IfPrimaryTerm: &h.PrimaryTerm}
}
