// Package qdranttest gives tests a Qdrant: the stand-in of conformance/engines, or the
// server that POSTERN_TEST_QDRANT=HOST:PORT names, in which tests make and delete
// collections as they like.
package qdranttest

import (
	"context"
	"os"
	"testing"
	"time"

	"postern/conformance/engines"
	"postern/conformance/engines/enginetest"

	"github.com/qdrant/go-client/qdrant"
)

// Server is a Qdrant that belongs to one test.
type Server struct {
	// Addr is the host and port of its gRPC services; it stays the same after a restart.
	Addr string

	engine  engines.Qdrant
	process *enginetest.Process // nil when the server is not ours
}

// Start gives the test an empty Qdrant that ends with it. Where the machine lacks what it
// needs the test is skipped, under CI=true it fails.
func Start(t testing.TB) *Server {
	t.Helper()
	if address := os.Getenv("POSTERN_TEST_QDRANT"); address != "" {
		s := &Server{Addr: address}
		s.Clear(t)
		t.Cleanup(func() { s.Clear(t) })
		return s
	}
	return start(t, engines.Qdrant{})
}

func start(t testing.TB, engine engines.Qdrant) *Server {
	t.Helper()
	p := enginetest.Start(t, engine)
	return &Server{Addr: p.Addr, engine: engine, process: p}
}

// Kill ends the server as a crash does, with SIGKILL. A server that is not ours can't be
// killed: the test is skipped.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	s.mustBeOurs(t)
	s.process.Kill(t)
}

// Restart starts the killed server again, on the same data and the same address.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.mustBeOurs(t)
	s.process.Restart(t)
}

func (s *Server) mustBeOurs(t testing.TB) {
	t.Helper()
	if s.process == nil {
		t.Skip("SKIP: the server that POSTERN_TEST_QDRANT names can't be killed from here")
	}
}

// Clear deletes every collection: faster than another server.
func (s *Server) Clear(t testing.TB) {
	t.Helper()
	client := s.Client(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	names, err := client.ListCollections(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := client.DeleteCollection(ctx, name); err != nil {
			t.Fatal(err)
		}
	}
}

// Client is the official Go client on one connection, closed when the test ends.
func (s *Server) Client(t testing.TB) *qdrant.Client {
	t.Helper()
	client, err := s.engine.Client(s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}
