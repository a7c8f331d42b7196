package store

import "context"

// Settler is a store whose writes can be of unknown outcome. It makes it known by making
// impossible what has not happened yet; what has, stays.
type Settler interface {
	// Poison makes every write impossible that is still on its way to one of the documents.
	Poison(ctx context.Context, uuid string, ids []string) error
	// PoisonCatalog does the same to changes of the metadata.
	PoisonCatalog(ctx context.Context) error
}
