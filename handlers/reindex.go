package handlers

import (
	"context"
	"strings"

	"postern/generated/aggs"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/planner"
)

// Reindex copies what a search finds to an index.
func (b *ByQuery) Reindex(ctx context.Context, r *api.ReindexRequest) (routes.Answer, error) {
	if err := refuseScript("reindex", r.Body.Script); err != nil {
		return nil, err
	}
	from, to := r.Body.Source, r.Body.Dest
	var wrong []string
	if from == nil || len(from.Index) == 0 {
		wrong = append(wrong, "use _all if you really want to copy from all existing indexes")
	}
	if to == nil || to.Index == "" {
		wrong = append(wrong, "index is missing")
	}
	if wrong != nil {
		return nil, eserr.ActionValidation(wrong...)
	}
	var batch *int64
	if from.Size != nil {
		n := int64(*from.Size)
		batch = &n
	}
	search, err := found(from.Index, batch)
	if err != nil {
		return nil, err
	}
	search.Body.Query, search.Body.Slice = from.Query, from.Slice
	if from.Sort != nil {
		search.Body.Sort = from.Sort
	}
	if from.Source != nil {
		search.Body.Source = &aggs.SourceConfig{SourceFilter: &aggs.SourceFilter{Includes: from.Source}}
	}
	op, err := copyTo(to, deref(r.RequireAlias))
	if err != nil {
		return nil, err
	}
	w := &rewrite{search: search, proceed: r.Body.Conflicts == api.ConflictsProceed, refresh: deref(r.Refresh), op: op,
		showUpdated: true, showCreated: true, to: to.Index}
	var most *int64
	if r.MaxDocs != nil {
		n := int64(*r.MaxDocs)
		most = &n
	}
	if w.maxDocs, err = maxDocs(most, r.Body.MaxDocs); err != nil {
		return nil, err
	}
	return b.answer(ctx, w, r.RequestsPerSecond, r.Slices, r.WaitForCompletion)
}

// copyTo makes the operation that copies a document. Without a type of versions the copy
// replaces what is there; with an external one it has the version of the original.
func copyTo(to *api.ReindexDestination, requireAlias bool) (func(h *planner.Hit) mutate.Op, error) {
	action := mutate.Index
	if to.OpType == api.OpTypeCreate {
		action = mutate.Create
	}
	versions := versionType(to.VersionType)
	routing, given := "", false
	switch text := to.Routing; {
	case text == nil || *text == "keep":
	case *text == "discard":
		given = true
	case strings.HasPrefix(*text, "="):
		routing, given = (*text)[1:], true
	default:
		return nil, eserr.ActionValidation("routing must be unset, [keep], [discard] or [=<some new value>]")
	}
	return func(h *planner.Hit) mutate.Op {
		op := mutate.Op{Action: action, Index: to.Index, ID: h.ID, GivenID: true, Routing: h.Routing, Source: h.Source, RequireAlias: requireAlias}
		if given {
			op.Routing = routing
		}
		if versions != mutate.Internal {
			op.VersionType, op.Version = versions, &h.Version
		}
		return op
	}, nil
}

// apart refuses to write into an index that is read.
func (w *rewrite) apart(state *metadata.State) error {
	if w.to == "" {
		return nil
	}
	target, err := state.WriteIndex(w.to)
	if err != nil || target.Index == nil {
		return err
	}
	for _, t := range w.targets {
		if t.Index.UUID == target.Index.UUID {
			return eserr.ActionValidation("reindex cannot write into an index its reading from [" + t.Index.Name + "]")
		}
	}
	return nil
}
