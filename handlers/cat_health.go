package handlers

import (
	"context"
	"strconv"
	"time"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/handlers/cat"
)

// CatHealth answers _cat/health.
func (c *Cluster) CatHealth(ctx context.Context, r *api.CatHealthRequest) (routes.Answer, error) {
	columns := cat.HealthColumns()
	if r.Ts != nil && !*r.Ts {
		columns[0].Extra, columns[1].Extra = true, true
	}
	h, err := c.health(ctx, &api.ClusterHealthRequest{})
	if err != nil {
		return nil, err
	}
	active := cat.Int(int64(h.active))
	row := append(clockCells(time.Now()), cat.Text(h.cluster), cat.Text(h.status.String()), cat.Int(1), cat.Int(1), active, active,
		cat.Int(0), cat.Int(0), cat.Int(int64(h.unassigned)), cat.Int(0), cat.Text("-"), cat.Text(percentText(h.percent())))
	table := &cat.Table{Columns: columns, Rows: [][]cat.Cell{row}}
	return table.View(catOptions(r.H, r.S, r.V, r.Help, r.Bytes, r.Time))
}

// clockCells are the time in seconds and as HH:MM:SS.
func clockCells(t time.Time) []cat.Cell {
	return []cat.Cell{cat.Text(strconv.FormatInt(t.Unix(), 10)), cat.Text(t.UTC().Format("15:04:05"))}
}
