package handlers

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/sourcefilter"
	"postern/internal/store"
)

// Docs are the endpoints of single documents, of bulks and of many reads at once.
type Docs struct {
	// State gives the metadata as they are now; a request takes them once.
	State     func(context.Context) (*metadata.State, error)
	Documents store.Documents
	Mutator   *mutate.Mutator
}

// written is the answer to the write of one document.
type written struct {
	answer.Write
	status   int
	location string
}

func (w *written) Status() int { return w.status }

// Headers gives the address of what was created.
func (w *written) Headers(set func(name, value string)) {
	if w.location != "" {
		set("Location", w.location)
	}
}

// one carries out a single operation.
func (d *Docs) one(ctx context.Context, op mutate.Op, refresh api.Refresh, active string, timeout *time.Duration) (*mutate.Outcome, error) {
	if err := op.CheckNumbers(); err != nil {
		return nil, err
	}
	if wrong := op.Validate(); wrong != nil {
		return nil, eserr.ActionValidation(wrong...)
	}
	if err := d.waitForActiveShards(ctx, op.Index, active, timeout); err != nil {
		return nil, err
	}
	outcomes, err := d.Mutator.Apply(ctx, []mutate.Op{op}, refreshOf(refresh))
	if err != nil {
		return nil, err
	}
	return &outcomes[0], outcomes[0].Err
}

func refreshOf(r api.Refresh) store.Refresh {
	switch r {
	case api.RefreshTrue:
		return store.RefreshNow
	case api.RefreshWaitFor:
		return store.RefreshWait
	}
	return store.RefreshNone
}

// writeAnswer is an outcome as every write of a document answers it.
func writeAnswer(o *mutate.Outcome, refresh api.Refresh) answer.Write {
	w := answer.Write{Index: o.Index.Name, ID: &o.ID, Version: &o.Version, Result: o.Result.String(), SeqNo: &o.SeqNo, PrimaryTerm: &o.PrimaryTerm}
	w.Shards = &answer.Shards{Total: int64(copiesOf(o.Index)), Successful: 1}
	if refresh == api.RefreshTrue {
		forced := true
		w.ForcedRefresh = &forced
	}
	return w
}

// writtenAnswer is the answer to a single write. Unlike in a bulk, one that changes
// nothing has no shards.
func writtenAnswer(o *mutate.Outcome, op *mutate.Op, refresh api.Refresh) *written {
	w := &written{Write: writeAnswer(o, refresh), status: o.Status()}
	switch o.Result {
	case mutate.Noop:
		w.Shards, w.ForcedRefresh = &answer.Shards{}, nil
	case mutate.Created:
		w.location = "/" + urlEncoded(o.Index.Name) + "/_doc/" + urlEncoded(o.ID)
		if op.Routing != "" {
			w.location += "?routing=" + urlEncoded(op.Routing)
		}
	}
	return w
}

// urlEncoded is a text as Java's URLEncoder writes it.
func urlEncoded(text string) string {
	return strings.NewReplacer("%2A", "*", "~", "%7E").Replace(url.QueryEscape(text))
}

// copiesOf is how many copies of a document its index should have.
func copiesOf(ix *metadata.Index) int { return 1 + ix.Settings.Int("index.number_of_replicas", 1) }

// waitForActiveShards waits for as many copies as a write asks for. There is one of each
// document, so that more than one are waited for in vain.
func (d *Docs) waitForActiveShards(ctx context.Context, index, active string, timeout *time.Duration) error {
	if active == "" || active == "0" || active == "1" {
		return nil
	}
	state, err := d.State(ctx)
	if err != nil {
		return err
	}
	target, err := state.WriteIndex(index)
	if err != nil || target.Index == nil {
		return err
	}
	copies := copiesOf(target.Index)
	wanted := copies
	if active != "all" {
		n, err := strconv.Atoi(active)
		if err != nil || n < 0 {
			return eserr.IllegalArgument("cannot parse ActiveShardCount[%s]", active)
		}
		if wanted = n; n > copies {
			return eserr.IllegalArgument("invalid value for wait_for_active_shards, cannot exceed [%d]", copies)
		}
	}
	if wanted <= 1 {
		return nil
	}
	wait := time.Minute
	if timeout != nil {
		wait = *timeout
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return ctx.Err()
	}
	return &eserr.Error{Status: http.StatusServiceUnavailable, Type: "unavailable_shards_exception",
		Reason: "[" + target.Index.Name + "][0] Not enough active copies to meet shard count of [" + active + "] (have 1, needed " + strconv.Itoa(wanted) + "). Timeout: [" + wait.String() + "]"}
}

// sourceOf is a document's source as a request wants it; nil when it wants none.
func sourceOf(source []byte, enabled *bool, includes, excludes []string) ([]byte, error) {
	if enabled != nil && !*enabled {
		return nil, nil
	}
	f := sourcefilter.New(includes, excludes)
	if f == nil || len(source) == 0 {
		return source, nil
	}
	v, err := jsonx.Parse(source)
	if err != nil {
		return nil, err
	}
	return f.Append(nil, v), nil
}

// sourceParams reads the three URL parameters that choose what is shown of a source.
func sourceParams(p *api.SourceConfigParam, includes, excludes []string) (enabled *bool, in, ex []string) {
	if p != nil {
		if p.Enabled != nil {
			return p.Enabled, includes, excludes
		}
		includes = append(append([]string(nil), p.List...), includes...)
	}
	return nil, includes, excludes
}

// readIndex finds the one index that a read of a document goes to.
func (d *Docs) readIndex(ctx context.Context, name, routing, id string) (*metadata.Index, error) {
	state, err := d.State(ctx)
	if err != nil {
		return nil, err
	}
	ix, alias, err := state.ReadIndex(name)
	if err != nil {
		return nil, err
	}
	if err := ix.Allow(metadata.ReadDocuments); err != nil {
		return nil, err
	}
	_, err = ix.Route(alias, routing, id)
	return ix, err
}

func refusePipeline(name string) error {
	if name == "" || name == "_none" {
		return nil
	}
	return eserr.IllegalArgument("pipeline with id [%s] does not exist", name)
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func versionType(t api.VersionType) mutate.VersionType {
	switch t {
	case api.VersionTypeExternal:
		return mutate.External
	case api.VersionTypeExternalGte:
		return mutate.ExternalGTE
	}
	return mutate.Internal
}
