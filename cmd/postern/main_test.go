package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is a running `postern serve`.
type server struct {
	url    string
	stop   context.CancelFunc
	code   chan int
	stderr *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

var startLine = regexp.MustCompile(`^postern \S+ \(?.*listens on (http://[0-9.]+:[0-9]+), cluster test, data in (.+?), .*\n$`)

// start runs a server until its start line is there.
func start(t *testing.T, args ...string) *server {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	stdout, w := io.Pipe()
	s := &server{stop: cancel, code: make(chan int, 1), stderr: &lockedBuffer{}}
	go func() {
		s.code <- run(ctx, append([]string{"serve", "--listen", "127.0.0.1:0", "--cluster-name", "test"}, args...), w, s.stderr)
		w.Close()
	}()
	buf := make([]byte, 4096)
	n, err := stdout.Read(buf)
	if err != nil {
		t.Fatalf("no start line: %s", s.stderr)
	}
	go io.Copy(io.Discard, stdout)
	m := startLine.FindStringSubmatch(string(buf[:n]))
	if m == nil {
		t.Fatalf("start line %q", buf[:n])
	}
	s.url = m[1]
	t.Cleanup(func() { s.end(t) })
	return s
}

// end stops the server, as SIGTERM does, and sees to its exit code.
func (s *server) end(t *testing.T) {
	s.stop()
	select {
	case code := <-s.code:
		if code != exitOK {
			t.Errorf("exit %d: %s", code, s.stderr)
		}
		s.code <- code
	case <-time.After(20 * time.Second):
		t.Error("the server does not stop")
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestServe(t *testing.T) {
	data := filepath.Join(t.TempDir(), "new", "data")
	s := start(t, "--data", data)
	uuid := regexp.MustCompile(`"cluster_uuid" : "([A-Za-z0-9_-]{22})"`)
	first := uuid.FindStringSubmatch(get(t, s.url))
	if first == nil {
		t.Fatal(get(t, s.url))
	}
	// A second server on the folder.
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"serve", "--listen", "127.0.0.1:0", "--data", data}, &out, &errs); code != exitFailure || !strings.HasSuffix(errs.String(), "is in use by another process\n") {
		t.Errorf("second server: %d %q", code, errs.String())
	}
	// The same port.
	errs.Reset()
	if code := run(context.Background(), []string{"serve", "--listen", strings.TrimPrefix(s.url, "http://"), "--data", t.TempDir()}, &out, &errs); code != exitFailure || !strings.Contains(errs.String(), "is in use by another process") {
		t.Errorf("same port: %d %q", code, errs.String())
	}
	s.end(t)
	// A restart has the same identity.
	again := start(t, "--data", data)
	if second := uuid.FindStringSubmatch(get(t, again.url)); second == nil || second[1] != first[1] {
		t.Errorf("cluster uuid %v, then %v", first, second)
	}
}

func TestRunningRequestsEndBeforeTheServer(t *testing.T) {
	s := start(t, "--data", t.TempDir())
	done := make(chan string, 1)
	go func() { done <- get(t, s.url+"/_cluster/health/nope?timeout=500ms") }()
	time.Sleep(100 * time.Millisecond)
	s.end(t)
	if body := <-done; !strings.Contains(body, `"timed_out":true`) {
		t.Error(body)
	}
}

func TestErrorsOfTheCommandLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"serve", "--nope"}, exitUsage, "unknown flag --nope"},
		{[]string{"serve", "--listen", "9200"}, exitUsage, "want HOST:PORT"},
		{[]string{"serve", "--listen", "0.0.0.0:9200"}, exitUsage, "--insecure"},
		{[]string{"serve", "--listen", ":9200"}, exitUsage, "--insecure"},
		{[]string{"serve", "--max-body", "12q"}, exitUsage, `"12q" is no size`},
		{[]string{"serve", "--log-level", "loud"}, exitUsage, "log-level"},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(file, "data")}, exitFailure, "data folder"},
		{[]string{"serve", "--qdrant", "6334"}, exitUsage, "want HOST:PORT"},
		{[]string{"serve", "--qdrant", "127.0.0.1:6334", "--data", "x"}, exitUsage, "--data has no place"},
		{[]string{"serve", "--exclusive"}, exitUsage, "need --qdrant"},
		{[]string{"serve", "--qdrant", "127.0.0.1:6334", "--near-memory", "1mb"}, exitUsage, "--near-memory needs --exclusive"},
		{[]string{"serve", "--qdrant", "127.0.0.1:1", "--listen", "127.0.0.1:0"}, exitFailure, "qdrant at 127.0.0.1:1: "},
		{[]string{}, exitUsage, "expected one of"},
	} {
		var out, errs bytes.Buffer
		code := run(context.Background(), c.args, &out, &errs)
		if code != c.code || !strings.Contains(errs.String(), c.want) || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%v: exit %d, %q", c.args, code, errs.String())
		}
	}
}

func TestVersionAndHelp(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--help"}, {"serve", "--help"}} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), args, &out, &errs); code != exitOK || errs.Len() > 0 || !strings.Contains(out.String(), "postern") {
			t.Errorf("%v: %d %q %q", args, code, out.String(), errs.String())
		}
	}
}

func TestFlagsAreEnvironmentVariables(t *testing.T) {
	t.Setenv("POSTERN_LISTEN", "8.8.8.8:1")
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"serve"}, &out, &errs); code != exitUsage || !strings.Contains(errs.String(), "8.8.8.8:1") {
		t.Error(code, errs.String())
	}
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{"127.0.0.1": true, "127.1.2.3": true, "::1": true, "localhost": true, "0.0.0.0": false, "::": false, "": false, "192.168.1.1": false} {
		if got := loopback(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	if _, err := listen("8.8.8.8:0", true); err == nil || errors.As(err, new(usageError)) {
		t.Error(err)
	}
	ln, err := listen("0.0.0.0:0", true)
	if err != nil {
		t.Fatal(err)
	}
	if !ln.Addr().(*net.TCPAddr).IP.IsUnspecified() {
		t.Error(ln.Addr())
	}
	ln.Close()
}
