// Package valkeytest gives tests a real Valkey: one of conformance/engines.
package valkeytest

import (
	"os"
	"testing"

	"postern/conformance/engines"
	"postern/conformance/engines/enginetest"

	"github.com/valkey-io/valkey-go"
)

// Server is a Valkey that belongs to one test.
type Server struct{ *enginetest.Process }

// Start gives the test an empty Valkey that ends with it. Where the machine lacks what it
// needs the test is skipped, under CI=true it fails.
func Start(t testing.TB) *Server {
	t.Helper()
	return &Server{enginetest.Start(t, engines.Valkey{})}
}

// Client is a plain client, closed when the test ends.
func (s *Server) Client(t testing.TB) valkey.Client {
	t.Helper()
	client, err := engines.ValkeyClient(s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// Do runs one command.
func (s *Server) Do(t testing.TB, words ...string) string {
	t.Helper()
	client, err := engines.ValkeyClient(s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	answer := client.Do(t.Context(), client.B().Arbitrary(words...).Build())
	if answer.Error() != nil && !valkey.IsValkeyNil(answer.Error()) {
		t.Fatal(answer.Error())
	}
	text, _ := answer.ToString()
	return text
}

// Copy is what the server has written so far; Rollback puts it in the place of what it has
// written since. The server must have ended for that.
func (s *Server) Copy(t testing.TB) (rollback func()) {
	t.Helper()
	folder, copied := engines.ValkeyFile(s.Home), t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(folder, os.DirFS(copied)); err != nil {
			t.Fatal(err)
		}
	}
}
