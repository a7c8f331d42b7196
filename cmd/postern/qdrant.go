package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"time"

	"postern/internal/metadata"
	"postern/internal/mutate"
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
	Exclusive  bool      `env:"POSTERN_EXCLUSIVE" help:"No other gateway writes to this Qdrant: columns and answers may be kept as long as this one writes nothing."`
	NearMemory *byteSize `env:"POSTERN_NEAR_MEMORY" placeholder:"SIZE" help:"Memory for columns that are kept, with --exclusive (128mb)."`
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
	case q.Qdrant == "" && (q.QdrantAPIKey != "" || q.QdrantTLS || q.Exclusive || q.NearMemory != nil):
		return usageError("--qdrant-api-key, --qdrant-tls, --exclusive and --near-memory need --qdrant")
	case q.NearMemory != nil && !q.Exclusive:
		return usageError("--near-memory needs --exclusive: columns are kept only as long as nobody else writes")
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
