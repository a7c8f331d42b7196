package store

import (
	"context"

	"postern/internal/metadata"
)

// Catalog keeps the metadata of the cluster.
type Catalog interface {
	// Load is the current state, which includes every Update that has returned.
	Load(ctx context.Context) (*metadata.State, error)
	// Update replaces the state by change's result, which is durable when Update returns
	// it. It is a compare-and-set: change is given the state that its result replaces, and
	// is called again when another update was faster; it must have no other effect. When
	// it refuses, nothing changes and Update returns its error. A change that returns the
	// state it was given writes nothing.
	Update(ctx context.Context, change func(*metadata.State) (*metadata.State, error)) (*metadata.State, error)
}
