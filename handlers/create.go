package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/mutate"
)

// Create stores a document that must not be there yet.
func (d *Docs) Create(ctx context.Context, r *api.CreateRequest) (routes.Answer, error) {
	op := mutate.Op{Action: mutate.Create, Index: r.Index, ID: r.ID, GivenID: r.ID != "", Routing: r.Routing, RequireAlias: deref(r.RequireAlias),
		Version: r.Version, VersionType: versionType(r.VersionType), Source: r.Body}
	return d.put(ctx, op, r.Pipeline, r.Refresh, r.WaitForActiveShards, r.Timeout)
}
