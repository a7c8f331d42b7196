package handlers

import (
	"context"
	"strconv"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
)

// Mget reads several documents; each that fails answers its own error.
func (d *Docs) Mget(ctx context.Context, r *api.MgetRequest) (routes.Answer, error) {
	if !r.HasBody {
		return nil, eserr.ParseError("request body or source parameter is required")
	}
	ops := r.Body.Docs
	for _, id := range r.Body.IDs {
		ops = append(ops, api.MgetOperation{ID: id})
	}
	if len(ops) == 0 {
		return nil, eserr.ActionValidation("no documents to get")
	}
	var wrong []string
	for i := range ops {
		if ops[i].Index == nil {
			if r.Index == "" {
				wrong = append(wrong, "index is missing for doc "+strconv.Itoa(i))
			} else {
				ops[i].Index = &r.Index
			}
		}
		if ops[i].ID == "" {
			wrong = append(wrong, "id is missing for doc "+strconv.Itoa(i))
		}
	}
	if wrong != nil {
		return nil, eserr.ActionValidation(wrong...)
	}
	a := &answer.Mget{}
	for i := range ops {
		op := &ops[i]
		g, err := d.mgetOne(ctx, r, op)
		if err == nil {
			a.Docs = append(a.Docs, g)
			continue
		}
		e, ok := eserr.As(err)
		if !ok {
			return nil, err
		}
		a.Docs = append(a.Docs, &answer.MultiGetError{Index: *op.Index, ID: op.ID, Error: itemError{e}})
	}
	return a, nil
}

func (d *Docs) mgetOne(ctx context.Context, r *api.MgetRequest, op *api.MgetOperation) (*answer.GetResult, error) {
	routing := r.Routing
	if op.Routing != nil {
		routing = *op.Routing
	}
	ix, doc, err := d.read(ctx, read{*op.Index, op.ID, routing, r.Realtime, r.Refresh, op.Version, op.VersionType})
	if err != nil {
		return nil, err
	}
	enabled, in, ex := sourceParams(r.Source, r.SourceIncludes, r.SourceExcludes)
	asked := r.Source != nil
	if s := op.Source; s != nil {
		asked = true
		enabled, in, ex = s.Enabled, nil, nil
		if s.SourceFilter != nil {
			in, ex = s.SourceFilter.Includes, s.SourceFilter.Excludes
		}
	}
	stored := op.StoredFields
	if stored == nil {
		stored = r.StoredFields
	}
	hidden, err := storedFields(stored, asked)
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
	g := getResult(ix, op.ID, &doc, source, stored)
	g.Fields, err = storedValues(ix, stored, &doc)
	return &g, err
}

// itemError is an error inside an answer, with its root causes.
type itemError struct{ e *eserr.Error }

func (i itemError) AppendJSON(dst []byte) []byte { return i.e.AppendObject(dst) }

// itemCause is an error inside an answer without root causes, as bulk items have it.
type itemCause struct{ e *eserr.Error }

func (i itemCause) AppendJSON(dst []byte) []byte { return i.e.AppendCause(dst) }
