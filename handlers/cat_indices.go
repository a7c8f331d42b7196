package handlers

import (
	"context"
	"errors"
	"strconv"
	"time"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/handlers/cat"
	"postern/internal/eserr"
	"postern/internal/metadata"
	"postern/internal/store"
)

// CatIndices answers _cat/indices. Figures that Postern does not keep are empty.
func (c *Cluster) CatIndices(ctx context.Context, r *api.CatIndicesRequest) (routes.Answer, error) {
	opt := metadata.SearchIndices()
	opt.ForbidClosed, opt.ExpandClosed, opt.ExpandHidden = false, true, true
	state, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	found, err := state.Resolve(r.Index, expressions(opt, nil, nil, r.ExpandWildcards))
	if err != nil {
		return nil, err
	}
	switch r.Health {
	case "", "green", "yellow", "red":
	default:
		return nil, eserr.IllegalArgument("unknown cluster health status [%s]", r.Health)
	}
	table := &cat.Table{Columns: cat.IndicesColumns()}
	for _, f := range found {
		if r.Health != "" && indexHealth(f.Index).String() != r.Health {
			continue
		}
		row, err := c.indexRow(ctx, table.Columns, f.Index)
		if errors.Is(err, store.ErrNoIndex) { // deleted since the state was read: no line, as in Elasticsearch
			continue
		}
		if err != nil {
			return nil, store.ClientError(f.Index, err)
		}
		table.Rows = append(table.Rows, row)
	}
	view := catOptions(r.H, r.S, r.V, r.Help, r.Bytes, r.Time)
	view.Primary = r.Pri != nil && *r.Pri
	return table.View(view)
}

func (c *Cluster) indexRow(ctx context.Context, columns []cat.Column, ix *metadata.Index) ([]cat.Cell, error) {
	shards, replicas := shardCounts(ix)
	status := "open"
	if ix.Closed {
		status = "close"
	}
	cells := map[string]cat.Cell{
		"health": cat.Text(indexHealth(ix).String()), "status": cat.Text(status), "index": cat.Text(ix.Name), "uuid": cat.Text(ix.UUID),
		"pri": cat.Int(int64(shards)), "rep": cat.Int(int64(replicas)),
		"creation.date":        cat.Text(strconv.FormatInt(ix.CreatedMillis, 10)),
		"creation.date.string": cat.Text(isoMillis(time.UnixMilli(ix.CreatedMillis))),
	}
	if !ix.Closed {
		stats, err := c.Documents.Stats(ctx, ix)
		if err != nil {
			return nil, err
		}
		cells["docs.count"], cells["docs.deleted"] = cat.Int(stats.Docs), cat.Int(stats.Deleted)
		cells["dataset.size"] = cat.Size(stats.StoreBytes)
		for name, cell := range map[string]cat.Cell{
			"store.size": cat.Size(stats.StoreBytes), "segments.count": cat.Int(int64(stats.Segments)), "segments.memory": cat.Size(stats.MemoryBytes),
			"get.total": cat.Int(stats.GetTotal), "search.query_total": cat.Int(stats.SearchTotal), "refresh.total": cat.Int(stats.RefreshTotal),
			"indexing.index_total": cat.Int(stats.IndexTotal), "indexing.delete_total": cat.Int(stats.DeleteTotal),
		} {
			cells[name], cells["pri."+name] = cell, cell
		}
	}
	row := make([]cat.Cell, len(columns))
	for i, col := range columns {
		row[i] = cells[col.Name]
	}
	return row, nil
}
