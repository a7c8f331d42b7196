package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/handlers/cat"
)

// CatMaster answers _cat/master: the node that is asked.
func (c *Cluster) CatMaster(_ context.Context, r *api.CatMasterRequest) (routes.Answer, error) {
	n := c.Node
	table := &cat.Table{
		Columns: cat.MasterColumns(),
		Rows:    [][]cat.Cell{{cat.Text(n.ID), cat.Text(n.Host), cat.Text(n.IP), cat.Text(n.Name)}},
	}
	return table.View(catOptions(r.H, r.S, r.V, r.Help, r.Bytes, r.Time))
}
