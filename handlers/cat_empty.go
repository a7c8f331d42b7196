package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/handlers/cat"
)

// CatPlugins answers _cat/plugins: there are none.
func (c *Cluster) CatPlugins(_ context.Context, r *api.CatPluginsRequest) (routes.Answer, error) {
	return (&cat.Table{Columns: cat.PluginsColumns()}).View(catOptions(r.H, r.S, r.V, r.Help, r.Bytes, r.Time))
}

// CatNodeattrs answers _cat/nodeattrs: a node has no attributes.
func (c *Cluster) CatNodeattrs(_ context.Context, r *api.CatNodeattrsRequest) (routes.Answer, error) {
	return (&cat.Table{Columns: cat.NodeAttrsColumns()}).View(catOptions(r.H, r.S, r.V, r.Help, r.Bytes, r.Time))
}

// CatPendingTasks answers _cat/pending_tasks: changes of metadata are made at once, none waits.
func (c *Cluster) CatPendingTasks(_ context.Context, r *api.CatPendingTasksRequest) (routes.Answer, error) {
	return (&cat.Table{Columns: cat.PendingTasksColumns()}).View(catOptions(r.H, r.S, r.V, r.Help, r.Bytes, r.Time))
}
