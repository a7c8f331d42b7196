// Package qdranttest gives tests a Qdrant: the stand-in of conformance/engines, or the
// server that POSTERN_TEST_QDRANT=HOST:PORT names, in which tests make and delete
// collections as they like.
package qdranttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"postern/conformance/engines"
	"postern/conformance/requirement"

	"github.com/qdrant/go-client/qdrant"
)

// Server is a Qdrant that belongs to one test.
type Server struct {
	// Addr is the host and port of its gRPC services; it stays the same after a restart.
	Addr string

	cmd   *exec.Cmd // nil when the server is not ours
	ended chan struct{}
	stdin io.Closer
	home  string
	port  int
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
	home, err := os.MkdirTemp("", "qdrant-edge-")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{home: home, port: freePort(t)}
	s.Addr = engines.Qdrant{}.Address(s.port)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the end of Qdrant's log:\n%s", s.log())
		}
		if s.cmd != nil {
			s.end(t)
		}
		if err := os.RemoveAll(home); err != nil {
			t.Error(err)
		}
	})
	s.start(t)
	return s
}

// Kill ends the server as a crash does, with SIGKILL. A server that is not ours can't be
// killed: the test is skipped.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	s.mustBeOurs(t)
	s.end(t)
}

// Restart starts the killed server again, on the same data and the same address.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.mustBeOurs(t)
	s.start(t)
}

func (s *Server) mustBeOurs(t testing.TB) {
	t.Helper()
	if s.home == "" {
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
	client, err := engines.QdrantClient(s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func (s *Server) start(t testing.TB) {
	t.Helper()
	cache, err := engines.Cache("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := s.run(ctx, filepath.Join(cache, engines.Qdrant{}.Name())); err != nil {
		if errors.Is(err, engines.ErrMissing) {
			requirement.Missing(t, "Qdrant's engine: %v", err)
		}
		t.Fatal(err)
	}
}

// run starts the process and waits until it is healthy.
func (s *Server) run(ctx context.Context, dir string) error {
	engine := engines.Qdrant{}
	if err := engine.Prepare(ctx, dir); err != nil {
		return err
	}
	cmd, err := engine.Command(dir, s.home, s.port)
	if err != nil {
		return err
	}
	log, err := os.OpenFile(s.logFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Args = append(cmd.Args, "--with-parent", s.home)
	cmd.Stdout, cmd.Stderr = log, log
	if s.stdin, err = cmd.StdinPipe(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd, s.ended = cmd, make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is in its log
		close(s.ended)
	}()
	return s.wait(ctx)
}

func (s *Server) wait(ctx context.Context) error {
	for {
		if _, err := (engines.Qdrant{}).Ask(ctx, s.Addr); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the stand-in for Qdrant did not start in time:\n%s", s.log())
		case <-s.ended:
			return fmt.Errorf("the stand-in for Qdrant ended while starting:\n%s", s.log())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *Server) end(t testing.TB) {
	t.Helper()
	if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	<-s.ended
	s.stdin.Close()
	s.cmd = nil
}

func (s *Server) logFile() string { return filepath.Join(s.home, "log") }

func (s *Server) log() string {
	text, _ := os.ReadFile(s.logFile()) // none yet: nothing to show
	return string(text[max(0, len(text)-4000):])
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
