package handlers

import "time"

// Node is what the server knows of itself.
type Node struct {
	// ID is the node's, stable over restarts; Name is what people call it.
	ID, Name    string
	ClusterName string
	// Host and IP are where it listens, Address with the port.
	Host, IP, Address string
	DataPath          string
	Started           time.Time
	// MaxBody is the limit of a request's body, MemoryLimit the breaker's, 0 for none.
	MaxBody, MemoryLimit int64
}
