package handlers

import (
	"context"
	"net/http"
	"slices"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/store"
)

// read is what the reads of one document have in common.
type read struct {
	index, id, routing string
	realtime, refresh  *bool
	version            *int64
	versionType        api.VersionType
}

func (d *Docs) read(ctx context.Context, r read) (*metadata.Index, store.Stored, error) {
	ix, err := d.readIndex(ctx, r.index, r.routing, r.id)
	if err != nil {
		return nil, store.Stored{}, err
	}
	if deref(r.refresh) {
		if err := d.Mutator.Refresh(ctx, ix); err != nil {
			return nil, store.Stored{}, err
		}
	}
	docs, err := d.Documents.Get(ctx, ix, []string{r.id}, r.realtime == nil || *r.realtime)
	if err != nil {
		return nil, store.Stored{}, store.ClientError(ix, err)
	}
	docs[0].Source = ix.ShownSource(docs[0].Source)
	return ix, docs[0], checkVersion(ix, &docs[0], r.version)
}

func checkVersion(ix *metadata.Index, doc *store.Stored, wanted *int64) error {
	if wanted == nil || !doc.Found || doc.Version == *wanted {
		return nil
	}
	return eserr.OtherVersion(ix.Name, ix.UUID, doc.ID, doc.Version, *wanted)
}

// got is the answer to the read of one document.
type got struct{ answer.GetResult }

func (g *got) Status() int {
	if g.Found {
		return http.StatusOK
	}
	return http.StatusNotFound
}

// getResult is a read's answer. Elasticsearch 8.15 shows which fields were ignored only to
// those who name _ignored among the stored fields.
func getResult(ix *metadata.Index, id string, doc *store.Stored, source []byte, stored []string) answer.GetResult {
	g := answer.GetResult{Index: ix.Name, ID: id, Found: doc.Found}
	if doc.Found {
		g.Version, g.SeqNo, g.PrimaryTerm = &doc.Version, &doc.SeqNo, &doc.PrimaryTerm
		g.Routing, g.Source = doc.Routing, source
		if slices.Contains(stored, "_ignored") {
			g.Ignored = doc.Ignored
		}
	}
	return g
}

// Get reads a document.
func (d *Docs) Get(ctx context.Context, r *api.GetRequest) (routes.Answer, error) {
	ix, doc, err := d.read(ctx, read{r.Index, r.ID, r.Routing, r.Realtime, r.Refresh, r.Version, r.VersionType})
	if err != nil {
		return nil, err
	}
	enabled, in, ex := sourceParams(r.Source, r.SourceIncludes, r.SourceExcludes)
	hidden, err := storedFields(r.StoredFields, r.Source != nil)
	if err != nil {
		return nil, err
	}
	if hidden {
		no := false
		enabled = &no
	}
	source, err := sourceOf(doc.Source, enabled, in, ex)
	if err != nil {
		return nil, err
	}
	g := &got{getResult(ix, r.ID, &doc, source, r.StoredFields)}
	g.Fields, err = storedValues(ix, r.StoredFields, &doc)
	return g, err
}

// storedValues are the stored fields that a read asks for.
func storedValues(ix *metadata.Index, names []string, doc *store.Stored) (jsonx.Appender, error) {
	values, err := appendStoredFields(ix, names, doc.Source)
	if values == nil {
		return nil, err
	}
	return rawJSON(values), nil
}

// storedFields checks the stored fields of a read: none are kept apart from the source, so
// that asking for any hides it, unless it is asked for too.
func storedFields(names []string, source bool) (hidden bool, err error) {
	if len(names) == 0 {
		return false, nil
	}
	for _, n := range names {
		if n == "_source" {
			source = true
		}
	}
	return !source, nil
}

// GetSource reads a document's source alone.
func (d *Docs) GetSource(ctx context.Context, r *api.GetSourceRequest) (routes.Answer, error) {
	if r.Source != nil && r.Source.Enabled != nil && !*r.Source.Enabled {
		return nil, eserr.ActionValidation("fetching source can not be disabled")
	}
	ix, doc, err := d.read(ctx, read{r.Index, r.ID, r.Routing, r.Realtime, r.Refresh, r.Version, r.VersionType})
	if err != nil {
		return nil, err
	}
	if !doc.Found {
		return nil, eserr.DocumentNotFound(r.Index, r.ID)
	}
	enabled, in, ex := sourceParams(r.Source, r.SourceIncludes, r.SourceExcludes)
	source, err := sourceOf(doc.Source, enabled, in, ex)
	if err != nil {
		return nil, err
	}
	if source == nil {
		return nil, &eserr.Error{Status: http.StatusNotFound, Type: "resource_not_found_exception", Reason: "Source not found [" + ix.Name + "]/[" + r.ID + "]"}
	}
	return rawJSON(source), nil
}

// rawJSON is an answer that is there already.
type rawJSON []byte

func (b rawJSON) AppendJSON(dst []byte) []byte { return append(dst, b...) }

// presence answers whether something is there by the status alone.
type presence bool

func (p presence) Status() int {
	if p {
		return http.StatusOK
	}
	return http.StatusNotFound
}

func (presence) AppendJSON(dst []byte) []byte { return dst }

// Exists tells whether a document is there.
func (d *Docs) Exists(ctx context.Context, r *api.ExistsRequest) (routes.Answer, error) {
	_, doc, err := d.read(ctx, read{r.Index, r.ID, r.Routing, r.Realtime, r.Refresh, r.Version, r.VersionType})
	return presence(doc.Found), err
}

// ExistsSource tells whether a document's source is there.
func (d *Docs) ExistsSource(ctx context.Context, r *api.ExistsSourceRequest) (routes.Answer, error) {
	_, doc, err := d.read(ctx, read{r.Index, r.ID, r.Routing, r.Realtime, r.Refresh, r.Version, r.VersionType})
	return presence(doc.Found && doc.Source != nil), err
}
