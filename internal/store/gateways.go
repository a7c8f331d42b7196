package store

import "context"

// Gateways tells gateways on one store where they reach each other.
type Gateways interface {
	// Announce says that the gateway with this id is reached at url.
	Announce(ctx context.Context, id, url string) error
	// Withdraw takes it back.
	Withdraw(ctx context.Context, id string) error
	// Reach is where the gateway with that id is reached; empty when nobody said.
	Reach(ctx context.Context, id string) (url string, err error)
}
