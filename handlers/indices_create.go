package handlers

import (
	"context"
	"time"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/metadata"
)

// IndicesCreate makes an index.
func (i *Indices) IndicesCreate(ctx context.Context, r *api.IndicesCreateRequest) (routes.Answer, error) {
	name, err := metadata.ResolveDateName(r.Index, time.Now())
	if err != nil {
		return nil, err
	}
	definition, err := metadata.ParseDefinition(r.Body)
	if err != nil {
		return nil, err
	}
	// How many copies there will be is known before the index is: by its settings.
	var wait func() bool
	c := metadata.Creation{Name: name, ProvidedName: r.Index, Definition: definition, Check: func(ix *metadata.Index) (err error) {
		wait, err = activeShards(ix, r.WaitForActiveShards, r.Timeout)
		return err
	}}
	ix, err := i.Mutator.CreateIndex(ctx, c)
	if err != nil {
		return nil, err
	}
	return &answer.IndexCreated{Acknowledged: true, ShardsAcknowledged: wait(), Index: ix.Name}, nil
}
