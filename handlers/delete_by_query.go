package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/mutate"
	"postern/planner"
)

// DeleteByQuery deletes what a search finds, unless it was written meanwhile.
func (b *ByQuery) DeleteByQuery(ctx context.Context, r *api.DeleteByQueryRequest) (routes.Answer, error) {
	if r.Q == nil && r.Body.Query == nil {
		return nil, eserr.ActionValidation("query is missing")
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
	if r.Body.Sort != nil || r.Sort != nil {
		search.Body.Sort, search.Sort = r.Body.Sort, r.Sort
	}
	w := &rewrite{search: search, proceed: r.Conflicts == api.ConflictsProceed, refresh: deref(r.Refresh), op: deletion}
	if w.maxDocs, err = maxDocs(r.MaxDocs, r.Body.MaxDocs); err != nil {
		return nil, err
	}
	return b.answer(ctx, w, r.RequestsPerSecond, r.Slices, r.WaitForCompletion)
}

// answer carries out a request whose own parts have been read.
func (b *ByQuery) answer(ctx context.Context, w *rewrite, requestsPerSecond *float64, slices string, wait *bool) (routes.Answer, error) {
	var err error
	if w.perSecond, err = perSecond(requestsPerSecond); err != nil {
		return nil, err
	}
	if err := atOnce(wait, slices); err != nil {
		return nil, err
	}
	if err := planner.Check(w.search); err != nil {
		return nil, err
	}
	state, err := b.State(ctx)
	if err != nil {
		return nil, err
	}
	s := w.search
	if w.targets, err = state.Resolve(s.Index, searchOptions(s.IgnoreUnavailable, s.AllowNoIndices, s.ExpandWildcards)); err != nil {
		return nil, err
	}
	if err := readable(w.targets); err != nil {
		return nil, err
	}
	if err := w.apart(state); err != nil {
		return nil, err
	}
	out, err := b.run(ctx, w)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// deletion deletes a document as it was found.
func deletion(h *planner.Hit) mutate.Op {
	return mutate.Op{Action: mutate.Delete, Index: h.Index, ID: h.ID, GivenID: true, Routing: h.Routing, IfSeqNo: &h.SeqNo, IfPrimaryTerm: &h.PrimaryTerm}
}
