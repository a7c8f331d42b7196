// Package enginetest gives one test an engine of its own, which it may kill and restart.
package enginetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"postern/conformance/engines"
	"postern/conformance/requirement"
)

// Process is an engine that belongs to one test.
type Process struct {
	// Addr is where it listens, the same after a restart.
	Addr string
	// Home is the folder of its data.
	Home string

	engine engines.Engine
	port   int
	cmd    *exec.Cmd
	ended  chan struct{}
	stdin  io.Closer
}

// Start gives the test an empty engine that ends with it. Where the machine lacks what it
// needs the test is skipped, under CI=true it fails.
func Start(t testing.TB, engine engines.Engine) *Process {
	t.Helper()
	home, err := os.MkdirTemp("", engine.Name()+"-")
	if err != nil {
		t.Fatal(err)
	}
	p := &Process{Home: home, engine: engine, port: freePort(t)}
	p.Addr = engine.Address(p.port)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the end of the log of %s:\n%s", engine.Name(), p.log())
		}
		if p.cmd != nil {
			p.Kill(t)
		}
		if err := os.RemoveAll(home); err != nil {
			t.Error(err)
		}
	})
	p.Restart(t)
	return p
}

// Kill ends the engine as a crash does, with SIGKILL.
func (p *Process) Kill(t testing.TB) {
	t.Helper()
	p.signal(t, syscall.SIGKILL)
	<-p.ended
	p.stdin.Close()
	p.cmd = nil
}

// Stop ends the engine as its operator does, with SIGTERM.
func (p *Process) Stop(t testing.TB) {
	t.Helper()
	p.signal(t, syscall.SIGTERM)
	<-p.ended
	p.Kill(t) // what watches over it
}

func (p *Process) signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(-p.cmd.Process.Pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Fatal(err)
	}
}

// Restart starts the ended engine again, on the same data and the same address.
func (p *Process) Restart(t testing.TB) {
	t.Helper()
	cache, err := engines.Cache("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := p.run(ctx, filepath.Join(cache, p.engine.Name())); err != nil {
		if errors.Is(err, engines.ErrMissing) {
			requirement.Missing(t, "%s: %v", p.engine.Name(), err)
		}
		t.Fatal(err)
	}
}

// withParent runs a program and ends with it. When whoever holds the standard input ends,
// it kills the program and removes the folder: no engine outlives a test binary.
const withParent = `home=$1; shift
"$@" </dev/null & engine=$!
exec 3<&0
(trap '' TERM; cat <&3 >/dev/null; kill -9 $engine; rm -rf "$home") &
trap : TERM
wait $engine
while kill -0 $engine 2>/dev/null; do wait $engine; done`

// run starts the engine and waits until it is ready.
func (p *Process) run(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := p.engine.Prepare(ctx, dir); err != nil {
		return err
	}
	cmd, err := p.engine.Command(dir, p.Home, p.port)
	if err != nil {
		return err
	}
	log, err := os.OpenFile(p.logFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	wrapped := exec.Command("sh", append([]string{"-c", withParent, "sh", p.Home}, cmd.Args...)...)
	wrapped.Dir, wrapped.Env, wrapped.Stdout, wrapped.Stderr = cmd.Dir, cmd.Env, log, log
	wrapped.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if p.stdin, err = wrapped.StdinPipe(); err != nil {
		return err
	}
	if err := wrapped.Start(); err != nil {
		return err
	}
	p.cmd, p.ended = wrapped, make(chan struct{})
	go func() {
		_ = wrapped.Wait() // how it ended is in its log
		close(p.ended)
	}()
	return p.wait(ctx)
}

func (p *Process) wait(ctx context.Context) error {
	for {
		if _, err := p.engine.Ask(ctx, p.Addr); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s did not start in time:\n%s", p.engine.Name(), p.log())
		case <-p.ended:
			return fmt.Errorf("%s ended while starting:\n%s", p.engine.Name(), p.log())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (p *Process) logFile() string { return filepath.Join(p.Home, "log") }

func (p *Process) log() string {
	text, _ := os.ReadFile(p.logFile()) // none yet: nothing to show
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
