package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/mutate"
	"postern/internal/xcontent"
)

// Index stores a document under an id, or under a new one.
func (d *Docs) Index(ctx context.Context, r *api.IndexRequest) (routes.Answer, error) {
	op := mutate.Op{Action: mutate.Index, Index: r.Index, ID: r.ID, GivenID: r.ID != "", Routing: r.Routing, RequireAlias: deref(r.RequireAlias),
		Version: r.Version, VersionType: versionType(r.VersionType), IfSeqNo: r.IfSeqNo, IfPrimaryTerm: r.IfPrimaryTerm, Source: r.Body}
	if r.OpType == api.OpTypeCreate {
		op.Action = mutate.Create
	}
	return d.put(ctx, op, r.Pipeline, r.Refresh, r.WaitForActiveShards, r.Timeout)
}

func (d *Docs) put(ctx context.Context, op mutate.Op, pipeline string, refresh api.Refresh, active string, timeout *xcontent.Duration) (routes.Answer, error) {
	if len(op.Source) == 0 {
		return nil, eserr.BodyRequired()
	}
	if err := refusePipeline(pipeline); err != nil {
		return nil, err
	}
	o, err := d.one(ctx, op, refresh, active, durationOf(timeout))
	if err != nil {
		return nil, err
	}
	return writtenAnswer(o, &op, refresh), nil
}
