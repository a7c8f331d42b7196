package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"postern/handlers"
	"postern/handlers/transport"
	"postern/internal/bytesize"
	"postern/internal/fence"
	"postern/internal/readers"
	"postern/internal/store/qdrant"
)

type serve struct {
	Listen   string `default:"127.0.0.1:9200" env:"POSTERN_LISTEN" placeholder:"HOST:PORT" help:"Address to listen on (${default})."`
	Insecure bool   `env:"POSTERN_INSECURE" help:"Listen beyond this machine although there are no credentials."`
	Data     string `env:"POSTERN_DATA" type:"path" placeholder:"DIR" help:"Folder of the documents (data)."`
	qdrantGateway
	ClusterName string        `default:"postern" env:"POSTERN_CLUSTER_NAME" placeholder:"NAME" help:"Name of the cluster (${default})."`
	NodeName    string        `env:"POSTERN_NODE_NAME" placeholder:"NAME" help:"Name of the node (the machine's)."`
	MemoryLimit byteSize      `env:"POSTERN_MEMORY_LIMIT" placeholder:"SIZE" help:"Memory to use, such as 512mb (what the machine or container has)."`
	MaxBody     byteSize      `default:"100mb" env:"POSTERN_MAX_BODY" placeholder:"SIZE" help:"Largest body of a request (${default})."`
	Deadline    time.Duration `default:"5m" env:"POSTERN_DEADLINE" help:"When a request is given up (${default}, 0 for never)."`
	SlowLog     time.Duration `default:"5s" env:"POSTERN_SLOW_LOG" help:"From when on a request is logged as slow (${default}, 0 for never)."`
	Drain       time.Duration `default:"30s" env:"POSTERN_DRAIN" help:"How long running requests may take after SIGTERM (${default})."`
	Pprof       string        `env:"POSTERN_PPROF" placeholder:"HOST:PORT" help:"Serve Go's profiles of this process on an address of this machine (off)."`
	LogLevel    slog.Level    `default:"info" env:"POSTERN_LOG_LEVEL" help:"debug, info, warn or error (${default}); debug logs every request."`
}

// gcShare is how much of the memory limit the garbage collector is told of, and
// breakerShare from where on requests are refused.
const (
	gcShare      = 0.90
	breakerShare = 0.95
)

func (s *serve) Run(env *environment) error {
	log := slog.New(slog.NewTextHandler(env.stderr, &slog.HandlerOptions{Level: s.LogLevel}))
	limit := int64(s.MemoryLimit)
	if limit == 0 {
		limit = transport.MemoryLimit()
	}
	if limit > 0 {
		debug.SetMemoryLimit(int64(gcShare * float64(limit)))
	}
	if err := s.check(s.Data); err != nil {
		return err
	}
	ln, err := listen(s.Listen, s.Insecure)
	if err != nil {
		return err
	}
	defer ln.Close()
	if s.Pprof != "" {
		stop, err := servePprof(s.Pprof)
		if err != nil {
			return err
		}
		defer stop()
	}
	store, err := s.openStore(env.ctx, limit, log)
	if err != nil {
		return err
	}
	node, err := s.node(ln, limit)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	shared, leave, err := s.share(env.ctx, store, log)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	contexts := readers.New(readers.MaxScrolls)
	gateways, withdraw, err := s.announce(env.ctx, store, contexts.Self())
	if err != nil {
		return errors.Join(err, leave(), store.Close())
	}
	t := transport.New(transport.Config{
		MaxBody:     int64(s.MaxBody),
		MemoryLimit: int64(breakerShare * float64(limit)),
		Deadline:    s.Deadline,
		SlowLog:     s.SlowLog,
		Log:         log,
	}, newServer(node, store, shared, s.Exclusive, s.CacheServe == "on", contexts, gateways))
	fmt.Fprintln(env.stdout, s.startLine(node, limit))
	return errors.Join(s.until(env.ctx, t, ln, log), withdraw(), leave(), store.Close())
}

// until serves until ctx ends, and then lets running requests end.
func (s *serve) until(ctx context.Context, t *transport.Transport, ln net.Listener, log *slog.Logger) error {
	failed := make(chan error, 1)
	go func() { failed <- t.Serve(ln) }()
	select {
	case err := <-failed:
		return fmt.Errorf("the server stopped: %w", err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.Background(), s.Drain)
	defer cancel()
	if err := t.Shutdown(drain); err != nil {
		log.Warn("requests were cut off", "after", s.Drain, "error", err)
	}
	return nil
}

func (s *serve) node(ln net.Listener, limit int64) (*handlers.Node, error) {
	id, data, err := s.identity()
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	name := s.NodeName
	if name == "" {
		if name, err = os.Hostname(); err != nil {
			name = "postern"
		}
	}
	address := ln.Addr().(*net.TCPAddr)
	ip := address.IP
	if ip.IsUnspecified() {
		ip = net.IPv4(127, 0, 0, 1)
	}
	return &handlers.Node{
		ID: id, Name: name, ClusterName: s.ClusterName,
		Host: ip.String(), IP: ip.String(), Address: net.JoinHostPort(ip.String(), fmt.Sprint(address.Port)),
		DataPath: data, Started: time.Now(), MaxBody: int64(s.MaxBody), MemoryLimit: limit,
	}, nil
}

// openStore opens what keeps the documents.
func (s *serve) openStore(ctx context.Context, limit int64, log *slog.Logger) (backend, error) {
	if s.Qdrant != "" {
		return s.open(ctx, limit, log)
	}
	if s.Data == "" {
		s.Data = "data"
	}
	return openEmbedded(s.Data, limit, log)
}

// share opens the fence that gateways share; without --valkey there is none.
func (s *serve) share(ctx context.Context, b backend, log *slog.Logger) (shared fence.Fence, leave func() error, err error) {
	documents, inQdrant := b.(*qdrant.Store)
	if s.Valkey == "" || !inQdrant {
		return nil, func() error { return nil }, nil
	}
	return s.fence(ctx, documents, log)
}

// identity is the node's id and its data folder. A gateway to Qdrant has none, and is
// another one at each start.
func (s *serve) identity() (id, data string, err error) {
	if s.Qdrant != "" {
		return newUUID(), "", nil
	}
	if id, err = nodeID(s.Data); err != nil {
		return "", "", err
	}
	if data, err = filepath.Abs(s.Data); err != nil {
		data = s.Data
	}
	return id, data, nil
}

// startLine says where the server listens, where its data lies and what is on.
func (s *serve) startLine(n *handlers.Node, limit int64) string {
	memory := "no memory limit"
	if limit > 0 {
		memory = "memory limit " + bytesize.Text(limit)
	}
	security := "loopback only, no credentials"
	if s.Insecure {
		security = "INSECURE: no credentials"
	}
	data := n.DataPath
	if s.Qdrant != "" {
		data = "Qdrant at " + s.Qdrant
		if s.Exclusive {
			data += " (exclusive)"
		}
		if s.Valkey != "" {
			data += ", fence in Valkey at " + s.Valkey
		}
	}
	return fmt.Sprintf("postern %s listens on http://%s, cluster %s, data in %s, %s, %s", versionText(), n.Address, n.ClusterName, data, memory, security)
}
