package handlers

import (
	"context"
	"time"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/mutate"
	"postern/internal/xcontent"
)

// Delete removes a document.
func (d *Docs) Delete(ctx context.Context, r *api.DeleteRequest) (routes.Answer, error) {
	op := mutate.Op{Action: mutate.Delete, Index: r.Index, ID: r.ID, GivenID: r.ID != "", Routing: r.Routing,
		Version: r.Version, VersionType: versionType(r.VersionType), IfSeqNo: r.IfSeqNo, IfPrimaryTerm: r.IfPrimaryTerm}
	o, err := d.one(ctx, op, r.Refresh, r.WaitForActiveShards, durationOf(r.Timeout))
	if err != nil {
		return nil, err
	}
	return writtenAnswer(o, &op, r.Refresh), nil
}

func durationOf(d *xcontent.Duration) *time.Duration {
	if d == nil {
		return nil
	}
	return &d.D
}
