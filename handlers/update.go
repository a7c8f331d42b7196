package handlers

import (
	"context"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/mutate"
)

// Update merges a partial document into a stored one.
func (d *Docs) Update(ctx context.Context, r *api.UpdateRequest) (routes.Answer, error) {
	if r.Version != "" || r.VersionType != "" {
		return nil, eserr.ActionValidation("internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead")
	}
	partial, err := partialOf(&r.Body, deref(r.RetryOnConflict) > 0)
	if err != nil {
		return nil, err
	}
	op := mutate.Op{Action: mutate.Update, Index: r.Index, ID: r.ID, GivenID: r.ID != "", Routing: r.Routing, RequireAlias: deref(r.RequireAlias),
		IfSeqNo: r.IfSeqNo, IfPrimaryTerm: r.IfPrimaryTerm, Update: partial}
	if r.Body.IfSeqNo != nil {
		op.IfSeqNo = r.Body.IfSeqNo
	}
	if r.Body.IfPrimaryTerm != nil {
		op.IfPrimaryTerm = r.Body.IfPrimaryTerm
	}
	o, err := d.one(ctx, op, r.Refresh, r.WaitForActiveShards, durationOf(r.Timeout))
	if err != nil {
		return nil, err
	}
	w := writtenAnswer(o, &op, r.Refresh)
	wanted := r.Source != nil || r.SourceIncludes != nil || r.SourceExcludes != nil
	enabled, in, ex := sourceParams(r.Source, r.SourceIncludes, r.SourceExcludes)
	if s := r.Body.Source; s != nil {
		wanted = true
		enabled, in, ex = s.Enabled, nil, nil
		if s.SourceFilter != nil {
			in, ex = s.SourceFilter.Includes, s.SourceFilter.Excludes
		}
	}
	if wanted {
		if w.Get, err = inlineGet(o, enabled, in, ex); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// partialOf turns what an update asks for into a partial document; retry tells that a
// lost race is run again.
func partialOf(b *api.UpdateBody, retry bool) (*mutate.PartialUpdate, error) {
	if b.Script != nil || deref(b.ScriptedUpsert) {
		return nil, eserr.Refused("[UpdateRequest] does not support [script] in this version of Postern")
	}
	return &mutate.PartialUpdate{Doc: b.Doc, Upsert: b.Upsert, DocAsUpsert: deref(b.DocAsUpsert),
		WriteNoop: b.DetectNoop != nil && !*b.DetectNoop, Retries: retry}, nil
}

// inlineGet shows the document after an update; nothing when the request wants no source.
func inlineGet(o *mutate.Outcome, enabled *bool, in, ex []string) (*answer.InlineGet, error) {
	if enabled != nil && !*enabled {
		return nil, nil
	}
	source, err := sourceOf(o.Index.ShownSource(o.Source), nil, in, ex)
	if err != nil {
		return nil, err
	}
	return &answer.InlineGet{SeqNo: &o.SeqNo, PrimaryTerm: &o.PrimaryTerm, Found: true, Source: source}, nil
}
