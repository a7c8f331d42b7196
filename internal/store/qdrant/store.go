// Package qdrant keeps documents in Qdrant: a collection an index, a point a document, and
// everything that is known of indices in one collection more. Nothing durable is here, so
// that any number of gateways can work on one Qdrant, and any of them be replaced at any
// moment.
//
// Writes are compare-and-set on write ids; see swap.go. Documents keep their source as it
// came in, and beside it their values in the form in which Qdrant filters them. Searches
// see writes at once.
package qdrant

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
)

// Options are what a Store needs.
type Options struct {
	// Address is HOST:PORT of Qdrant's gRPC interface.
	Address string
	APIKey  string
	TLS     bool
	// Prefix begins the names of all collections that are made; no other is touched. ""
	// stands for "postern".
	Prefix string
	// Timeout is how long one call may take; 0 stands for ten seconds.
	Timeout time.Duration
	// Exclusive is the operator's word that no other gateway writes: the catalog is then
	// read once, and columns stay in memory, within NearMemory bytes.
	Exclusive  bool
	NearMemory int64
	// Fenced says that the gateway has the shared fence, which all or none must have; a new
	// cluster is then one with it. AnyFencing is for commands that look at either.
	Fenced, AnyFencing bool
	// SpillDir is where snapshots that are held keep their sources; "" is the system's
	// folder for temporary files.
	SpillDir string
	// MemoryBudget bounds what scans under way hold, in bytes; 0 is no bound.
	MemoryBudget int64
	Log          *slog.Logger
	// Parse makes columns of a stored source.
	Parse func(ix *metadata.Index, dst *mapping.Document, id, routing string, source []byte) error
	// NewState is the metadata of a new cluster.
	NewState func() *metadata.State
}

// Store keeps documents and metadata in Qdrant.
type Store struct {
	opts   Options
	client *client
	log    *slog.Logger
	// opening is the number of this opening among all of the cluster.
	opening int64

	catalog  atomic.Pointer[catalog]
	updating sync.Mutex

	scanning atomic.Int64 // bytes that scans under way hold

	mu      sync.Mutex
	indices map[string]*index
	// background is done when the store closes; running are the calls and chores inside.
	background context.Context
	stop       context.CancelFunc
	running    sync.WaitGroup
	closing    sync.RWMutex
	closed     bool
}

var (
	_ store.Documents = (*Store)(nil)
	_ store.Catalog   = (*Store)(nil)
)

// Open connects to Qdrant, and makes the catalog if there is none.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Prefix == "" {
		o.Prefix = "postern"
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.SpillDir == "" {
		o.SpillDir = os.TempDir()
	}
	if _, _, err := net.SplitHostPort(o.Address); err != nil {
		return nil, fmt.Errorf("qdrant: the address %q is not HOST:PORT", o.Address)
	}
	c, err := dial(&o)
	if err != nil {
		return nil, err
	}
	s := &Store{opts: o, client: c, log: o.Log, indices: map[string]*index{}}
	s.background, s.stop = context.WithCancel(context.Background())
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) error {
	if err := s.makeCollection(ctx, s.catalogName()); err != nil {
		return err
	}
	if err := s.singleReplica(ctx); err != nil {
		return err
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := s.countOpening(ctx); err != nil {
		return err
	}
	s.running.Go(s.sweepCatalog)
	return nil
}

// singleReplica refuses to work on replicated collections: which reads see which writes
// has not been tried there.
func (s *Store) singleReplica(ctx context.Context) error {
	r, err := read(ctx, s.client, func(ctx context.Context) (*pb.GetCollectionInfoResponse, error) {
		return s.client.collections().Get(ctx, &pb.GetCollectionInfoRequest{CollectionName: s.catalogName()})
	})
	if err != nil {
		return err
	}
	if n := r.GetResult().GetConfig().GetParams().GetReplicationFactor(); n > 1 {
		return fmt.Errorf("qdrant: collection %s has %d replicas; replicated collections are not supported", s.catalogName(), n)
	}
	return nil
}

func (s *Store) catalogName() string               { return s.opts.Prefix + "-catalog" }
func (s *Store) collectionName(uuid string) string { return s.opts.Prefix + "-index-" + uuid }

// enter begins a call; the store does not close before it has been left.
func (s *Store) enter() (leave func(), err error) {
	s.closing.RLock()
	defer s.closing.RUnlock()
	if s.closed {
		return nil, store.ErrClosed
	}
	s.running.Add(1)
	return s.running.Done, nil
}

// Close ends all calls; see store.Documents. What was leased and not given is given back.
func (s *Store) Close() error {
	s.closing.Lock()
	was := s.closed
	s.closed = true
	s.closing.Unlock()
	if was {
		return nil
	}
	s.stop()
	s.running.Wait()
	s.returnLeases()
	return s.client.close()
}

// Calls counts the calls to Qdrant since the store was opened.
func (s *Store) Calls() int64 { return s.client.calls.Load() }
