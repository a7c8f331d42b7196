package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/store"
	"postern/internal/store/qdrant"
)

// qdrantServer says where Qdrant is.
type qdrantServer struct {
	Qdrant       string `env:"POSTERN_QDRANT" placeholder:"HOST:PORT" help:"Keep everything in Qdrant, whose gRPC interface this is."`
	QdrantAPIKey string `name:"qdrant-api-key" env:"POSTERN_QDRANT_API_KEY" placeholder:"KEY" help:"Qdrant's API key."`
	QdrantTLS    bool   `name:"qdrant-tls" env:"POSTERN_QDRANT_TLS" help:"Speak TLS with Qdrant."`
}

// qdrantGateway is what a gateway to Qdrant is told besides.
type qdrantGateway struct {
	qdrantServer
	valkeyServer
	Exclusive  bool      `env:"POSTERN_EXCLUSIVE" help:"No other gateway writes to this Qdrant: columns and answers may be kept as long as this one writes nothing."`
	NearMemory *byteSize `env:"POSTERN_NEAR_MEMORY" placeholder:"SIZE" help:"Memory for columns that are kept, with --exclusive (128mb)."`
	CacheServe string    `name:"cache-serve" enum:"on,off" default:"on" env:"POSTERN_CACHE_SERVE" help:"Serve answers that are kept, with --valkey or --exclusive: on or off (${default})."`
	Advertise  string    `env:"POSTERN_ADVERTISE" placeholder:"URL" help:"Where other gateways reach this one, for scrolls and points in time that it has opened."`
}

// nearMemory is how much memory columns of Qdrant's documents take if nothing is said.
const nearMemory = 128 << 20

// openTimeout is how long Qdrant may take to answer at the start.
const openTimeout = 30 * time.Second

// check refuses flags that need others.
func (q *qdrantGateway) check(data string) error {
	switch {
	case q.Qdrant != "" && data != "":
		return usageError("--data has no place beside --qdrant: everything is in Qdrant")
	case q.Qdrant == "" && (q.QdrantAPIKey != "" || q.QdrantTLS || q.Exclusive || q.NearMemory != nil || q.Advertise != ""):
		return usageError("--qdrant-api-key, --qdrant-tls, --exclusive, --near-memory and --advertise need --qdrant")
	case q.Exclusive && q.Valkey != "":
		return usageError("--exclusive says that there is no other gateway, --valkey is for several")
	case q.NearMemory != nil && !q.Exclusive:
		return usageError("--near-memory needs --exclusive: columns are kept only as long as nobody else writes")
	}
	if q.Advertise != "" {
		u, err := url.Parse(q.Advertise)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return usageError(fmt.Sprintf("--advertise %s: want a URL, such as http://10.0.0.1:9200", q.Advertise))
		}
	}
	if err := q.valkeyServer.check(q.Qdrant); err != nil {
		return err
	}
	return q.qdrantServer.check()
}

func (q *qdrantServer) check() error {
	if q.Qdrant == "" {
		return nil
	}
	if _, _, err := net.SplitHostPort(q.Qdrant); err != nil {
		return usageError(fmt.Sprintf("--qdrant %s: want HOST:PORT, such as 127.0.0.1:6334", q.Qdrant))
	}
	return nil
}

func (q *qdrantServer) options(log *slog.Logger) qdrant.Options {
	return qdrant.Options{Address: q.Qdrant, APIKey: q.QdrantAPIKey, TLS: q.QdrantTLS, Log: log,
		Parse: mutate.ParseStored, NewState: func() *metadata.State { return metadata.NewState(newUUID()) }}
}

// open connects a gateway.
func (q *qdrantGateway) open(ctx context.Context, limit int64, log *slog.Logger) (*qdrant.Store, error) {
	o := q.options(log)
	o.Fenced = q.Valkey != ""
	o.Exclusive, o.MemoryBudget = q.Exclusive, int64(columnShare*float64(limit))
	if q.Exclusive {
		o.NearMemory = nearMemory
		if q.NearMemory != nil {
			o.NearMemory = int64(*q.NearMemory)
		}
	}
	return q.connect(ctx, o)
}

func (q *qdrantServer) connect(ctx context.Context, o qdrant.Options) (*qdrant.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	s, err := qdrant.Open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("qdrant at %s: %w", q.Qdrant, err)
	}
	return s, nil
}

// announce tells the other gateways where this one is reached, until withdraw. On the
// embedded store there are none.
func (q *qdrantGateway) announce(ctx context.Context, s backend, id string) (all store.Gateways, withdraw func() error, err error) {
	all, shared := s.(store.Gateways)
	if !shared || q.Advertise == "" {
		return all, func() error { return nil }, nil
	}
	if err := all.Announce(ctx, id, strings.TrimSuffix(q.Advertise, "/")); err != nil {
		return nil, nil, err
	}
	return all, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
		defer cancel()
		return all.Withdraw(ctx, id)
	}, nil
}
