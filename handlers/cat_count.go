package handlers

import (
	"context"
	"strconv"
	"time"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/handlers/cat"
	"postern/internal/metadata"
	"postern/internal/store"
)

// CatCount answers _cat/count: what a search without a query would find, nested
// documents not counted.
func (c *Cluster) CatCount(ctx context.Context, r *api.CatCountRequest) (routes.Answer, error) {
	state, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	found, err := state.Resolve(r.Index, metadata.SearchIndices())
	if err != nil {
		return nil, err
	}
	docs := int64(0)
	for _, f := range found {
		n, err := c.countDocs(ctx, f.Index)
		if err != nil {
			return nil, err
		}
		docs += n
	}
	row := append(clockCells(time.Now()), cat.Text(strconv.FormatInt(docs, 10)))
	table := &cat.Table{Columns: cat.CountColumns(), Rows: [][]cat.Cell{row}}
	return table.View(catOptions(r.H, r.S, r.V, r.Help, r.Bytes, r.Time))
}

// countDocs counts the documents that a search of the index sees.
func (c *Cluster) countDocs(ctx context.Context, ix *metadata.Index) (int64, error) {
	snapshot, err := c.Documents.Snapshot(ctx, ix, store.HoldForRequest)
	if err != nil {
		return 0, store.ClientError(ix, err)
	}
	defer snapshot.Release()
	docs := int64(0)
	for _, p := range snapshot.Parts() {
		if p.Live != nil {
			docs += int64(p.Live.GetCardinality())
		} else {
			docs += int64(p.Len())
		}
	}
	return docs, nil
}
