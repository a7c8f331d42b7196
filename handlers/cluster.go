package handlers

import (
	"context"

	"postern/internal/metadata"
	"postern/internal/store"
)

// Cluster answers the endpoints about the server itself: info, ping, the licence, nodes,
// health and the tables of _cat. A server embeds it.
type Cluster struct {
	Node *Node
	// State gives the metadata as they are now; a request takes them once.
	State     func(context.Context) (*metadata.State, error)
	Documents store.Documents
}
