package handlers

import (
	"context"
	"strconv"
	"time"

	"postern/generated/aggs"
	"postern/generated/api"
	genquery "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/store"
	"postern/internal/xcontent"
	"postern/planner"
)

// refuseScript refuses a script that was read.
func refuseScript(endpoint string, s *genquery.Script) error {
	if s == nil {
		return nil
	}
	return eserr.Refused("[%s] does not support [script] in this version of Postern", endpoint)
}

// ByQuery answers the endpoints that write what a search finds: delete_by_query,
// update_by_query and reindex.
type ByQuery struct {
	Planner *planner.Planner
	// State gives the metadata as they are now; a request takes them once.
	State   func(context.Context) (*metadata.State, error)
	Mutator *mutate.Mutator
}

// defaultBatch is how many documents are written at a time.
const defaultBatch = 1000

// rewrite is one such request: what is found, and what is done with it.
type rewrite struct {
	search  *api.SearchRequest
	targets []metadata.Resolved
	// maxDocs bounds the documents; -1 for all.
	maxDocs int64
	// perSecond bounds the documents a second; 0 for no bound.
	perSecond float64
	// proceed goes on after a version conflict.
	proceed bool
	refresh bool
	op      func(h *planner.Hit) mutate.Op
	// counts say which of its counts the answer has.
	showUpdated, showCreated bool
	// to is the index that reindex writes to.
	to string
}

// found prepares the search: the documents of a batch with all that a write needs.
func found(indices []string, batch *int64) (*api.SearchRequest, error) {
	size := defaultBatch
	if batch != nil {
		size = int(*batch)
	}
	if size <= 0 {
		return nil, eserr.IllegalArgument("[size] parameter cannot be negative, found [%d]", size)
	}
	yes, minute := true, xcontent.Duration{Text: "5m", D: 5 * time.Minute}
	doc := aggs.SortOption{Kind: aggs.SortOptionKindDoc}
	return &api.SearchRequest{Index: indices, Size: &size, Scroll: &minute, Version: &yes, SeqNoPrimaryTerm: &yes,
		Body: api.SearchBody{Sort: []aggs.SortOption{doc}}, HasBody: true}, nil
}

// maxDocs is how many documents are asked for, in the URL or in the body.
func maxDocs(url, body *int64) (int64, error) {
	n := int64(-1)
	switch {
	case url != nil && body != nil && *url != *body:
		return 0, eserr.IllegalArgument("[max_docs] set to two different values [%d] and [%d]", *url, *body)
	case url != nil:
		n = *url
	case body != nil:
		n = *body
	}
	if n == 0 {
		return 0, eserr.IllegalArgument("[max_docs] should be >= [slices]")
	}
	if n < -1 {
		return 0, eserr.IllegalArgument("[max_docs] parameter cannot be negative, found [%d]", n)
	}
	return n, nil
}

// perSecond reads requests_per_second, of which -1 is no bound.
func perSecond(n *float64) (float64, error) {
	switch {
	case n == nil || *n == -1:
		return 0, nil
	case *n <= 0:
		return 0, eserr.IllegalArgument("[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.")
	}
	return *n, nil
}

// atOnce refuses to answer before the work is done, and to divide it.
func atOnce(wait *bool, slices string) error {
	switch n, err := strconv.Atoi(slices); {
	case slices == "" || slices == "auto" || n == 1:
	case err != nil || n < 1:
		return eserr.IllegalArgument("[slices] must be a positive integer or the string \"auto\", but was [%s]", slices)
	default:
		return eserr.Refused("[slices] other than 1 and auto are not supported in this version of Postern")
	}
	if wait != nil && !*wait {
		return eserr.Refused("[wait_for_completion=false] is not supported in this version of Postern")
	}
	return nil
}

// rewritten is what became of the documents.
type rewritten struct {
	*rewrite
	took, throttled                                               time.Duration
	total, updated, created, deleted, batches, conflicts, written int64
	timedOut                                                      bool
	failures                                                      []rewriteFailure
}

type rewriteFailure struct {
	index, id string
	err       *eserr.Error
}

// run writes everything that the search finds, batch by batch, of the moment of its
// first. A conflict ends it unless it proceeds; any other failure does.
func (b *ByQuery) run(ctx context.Context, w *rewrite) (*rewritten, error) {
	start := time.Now()
	out := &rewritten{rewrite: w}
	page, scroll, err := b.Planner.OpenScroll(ctx, w.targets, w.search)
	if err != nil {
		return nil, err
	}
	defer scroll.Release()
	out.total = page.Total.Value
	if w.maxDocs >= 0 {
		out.total = min(out.total, w.maxDocs)
	}
	written := map[string]*metadata.Index{}
	for len(page.Hits) > 0 && len(out.failures) == 0 {
		if out.timedOut = page.TimedOut; out.timedOut {
			break
		}
		began := time.Now()
		hits := page.Hits
		if w.maxDocs >= 0 {
			hits = hits[:min(int64(len(hits)), w.maxDocs-out.written)]
		}
		if err := b.batch(ctx, out, hits, written); err != nil {
			return nil, err
		}
		if out.written == w.maxDocs || len(out.failures) > 0 {
			break
		}
		if page, err = scroll.Next(ctx, false); err != nil {
			return nil, err
		}
		if len(page.Hits) > 0 {
			if err := out.throttle(ctx, began, len(hits)); err != nil {
				return nil, err
			}
		}
	}
	if w.refresh {
		for _, ix := range written {
			if err := b.Mutator.Refresh(ctx, ix); err != nil {
				return nil, err
			}
		}
	}
	out.took = time.Since(start)
	return out, nil
}

// throttle waits until a batch has taken as long as it may not take less.
func (w *rewritten) throttle(ctx context.Context, began time.Time, n int) error {
	if w.perSecond == 0 {
		return nil
	}
	wait := time.Duration(float64(n)/w.perSecond*float64(time.Second)) - time.Since(began)
	if wait <= 0 {
		return nil
	}
	w.throttled += wait
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// batch writes some documents.
func (b *ByQuery) batch(ctx context.Context, w *rewritten, hits []planner.Hit, written map[string]*metadata.Index) error {
	ops := make([]mutate.Op, len(hits))
	for i := range hits {
		ops[i] = w.op(&hits[i])
	}
	outcomes, err := b.Mutator.Apply(ctx, ops, store.RefreshNone)
	if err != nil {
		return err
	}
	w.batches++
	w.written += int64(len(hits))
	for i := range outcomes {
		o := &outcomes[i]
		if o.Err != nil {
			if err := w.failed(&ops[i], o.Err); err != nil {
				return err
			}
			continue
		}
		written[o.Index.UUID] = o.Index
		switch o.Result {
		case mutate.Created:
			w.created++
		case mutate.Updated:
			w.updated++
		case mutate.Deleted:
			w.deleted++
		}
	}
	return nil
}

// failed counts a conflict, and keeps what ends the request.
func (w *rewritten) failed(op *mutate.Op, err error) error {
	e, ok := eserr.As(err)
	if !ok {
		return err
	}
	if e.Type == "version_conflict_engine_exception" {
		if w.conflicts++; w.proceed {
			return nil
		}
	}
	w.failures = append(w.failures, rewriteFailure{op.Index, op.ID, e})
	return nil
}

// Status is the worst of the failures'.
func (w *rewritten) Status() int {
	status := 200
	for _, f := range w.failures {
		status = max(status, f.err.Status)
	}
	return status
}

// AppendJSON appends the answer.
func (w *rewritten) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"took":`...), w.took.Milliseconds(), 10)
	dst = strconv.AppendBool(append(dst, `,"timed_out":`...), w.timedOut)
	dst = strconv.AppendInt(append(dst, `,"total":`...), w.total, 10)
	if w.showUpdated {
		dst = strconv.AppendInt(append(dst, `,"updated":`...), w.updated, 10)
	}
	if w.showCreated {
		dst = strconv.AppendInt(append(dst, `,"created":`...), w.created, 10)
	}
	dst = strconv.AppendInt(append(dst, `,"deleted":`...), w.deleted, 10)
	dst = strconv.AppendInt(append(dst, `,"batches":`...), w.batches, 10)
	dst = strconv.AppendInt(append(dst, `,"version_conflicts":`...), w.conflicts, 10)
	dst = append(dst, `,"noops":0,"retries":{"bulk":0,"search":0},"throttled_millis":`...)
	dst = strconv.AppendInt(dst, w.throttled.Milliseconds(), 10)
	perSecond := float32(-1)
	if w.perSecond > 0 {
		perSecond = float32(w.perSecond)
	}
	dst = jsonx.AppendFloat32(append(dst, `,"requests_per_second":`...), perSecond)
	dst = append(dst, `,"throttled_until_millis":0,"failures":[`...)
	for i, f := range w.failures {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(append(dst, `{"index":`...), f.index)
		dst = jsonx.AppendString(append(dst, `,"id":`...), f.id)
		dst = f.err.AppendCause(append(dst, `,"cause":`...))
		dst = strconv.AppendInt(append(dst, `,"status":`...), int64(f.err.Status), 10)
		dst = append(dst, '}')
	}
	return append(dst, `]}`...)
}
