package main

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"postern/handlers"
	"postern/internal/cache"
	"postern/internal/fence"
	"postern/internal/fence/memory"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/readers"
	"postern/internal/store"
	"postern/internal/store/embedded"
	"postern/planner"
)

const (
	// columnShare is how much of the memory limit the store may hold in columns.
	columnShare = 0.6
	// The fence's bounds: answers it keeps, and written ids it remembers of an index.
	fenceAnswers, fenceLog = 1024, 4096
	// cacheBudget is how many bytes of answers a gateway keeps in memory besides.
	cacheBudget = 32 << 20
)

// backend is a store of documents and metadata.
type backend interface {
	store.Documents
	store.Catalog
}

// openEmbedded opens the embedded store of a folder.
func openEmbedded(folder string, limit int64, log *slog.Logger) (backend, error) {
	s, err := embedded.Open(folder, embedded.Options{
		MemoryBudget: int64(columnShare * float64(limit)),
		Log:          log,
		Parse:        mutate.ParseStored,
		NewState:     func() *metadata.State { return metadata.NewState(newUUID()) },
	})
	switch {
	case errors.Is(err, store.ErrLocked):
		return nil, fmt.Errorf("data folder %s is in use by another process", folder)
	case errors.Is(err, store.ErrFormat):
		return nil, fmt.Errorf("data folder %s was written by a newer version", folder)
	case err != nil:
		return nil, fmt.Errorf("data folder %s: %w", folder, err)
	}
	return s, nil
}

// newServer puts the endpoints on the store. shared is the fence of all who write to it; nil
// stands for one in memory, which knows of every write only if nobody else writes: alone says
// so. cached says that answers are kept; without one of the two nobody knows how long they are
// true.
func newServer(node *handlers.Node, s backend, shared fence.Fence, alone, cached bool, contexts *readers.Contexts, gateways store.Gateways) *handlers.Server {
	writes := shared
	if writes == nil {
		writes = memory.New(fenceAnswers, fenceLog)
	}
	mutator := mutate.New(mutate.Config{
		Catalog:     s,
		Documents:   s,
		Fence:       writes,
		CheckFilter: planner.CheckFilter,
	})
	search := &planner.Planner{Documents: s, Node: node.ID, Now: time.Now}
	indices := &handlers.Indices{State: s.Load, Mutator: mutator, Documents: s, Contexts: contexts}
	if alone || shared != nil {
		search.Fence = writes
		if cached {
			answers := cache.New(writes, cacheBudget)
			search.Cache, indices.ClearAnswers = answers, answers.Clear
		}
	}
	return &handlers.Server{
		ByQuery:  &handlers.ByQuery{Planner: search, State: s.Load, Mutator: mutator},
		Cluster:  &handlers.Cluster{Node: node, State: s.Load, Documents: s},
		Docs:     &handlers.Docs{State: s.Load, Mutator: mutator, Documents: s},
		Indices:  indices,
		Searches: &handlers.Searches{Planner: search, State: s.Load, Contexts: contexts, Gateways: gateways},
	}
}
