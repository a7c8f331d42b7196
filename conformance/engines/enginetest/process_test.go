package enginetest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"postern/conformance/engines"
)

// script is an engine that is a shell script; it is ready when it has made the file ready.
type script struct{ text, home string }

func (script) Name() string                          { return "script" }
func (script) Port() int                             { return 1 }
func (script) Prepare(context.Context, string) error { return nil }
func (s script) Address(int) string                  { return s.home }
func (s script) Command(_, _ string, _ int) (*exec.Cmd, error) {
	cmd := exec.Command("sh", "-c", s.text)
	cmd.Dir = s.home
	return cmd, nil
}

func (s script) Ask(context.Context, string) (engines.State, error) {
	_, err := os.Stat(filepath.Join(s.home, "ready"))
	return engines.State{}, err
}

func started(t *testing.T, text string) (*Process, error) {
	t.Helper()
	s := script{text, t.TempDir()}
	p := &Process{Home: filepath.Join(s.home, "home"), engine: s}
	if err := os.Mkdir(p.Home, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := p.run(ctx, t.TempDir())
	t.Cleanup(func() {
		if p.cmd != nil {
			p.Kill(t)
		}
	})
	return p, err
}

func TestAnEngineThatEndsWhileStartingSaysWhy(t *testing.T) {
	_, err := started(t, "echo no such thing; exit 3")
	if err == nil || !strings.Contains(err.Error(), "no such thing") || errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%v", err)
	}
}

func TestStopWaitsForTheEnd(t *testing.T) {
	p, err := started(t, `trap 'sleep 0.3; touch done; exit' TERM; touch ready; while :; do sleep 0.05; done`)
	if err != nil {
		t.Fatal(err)
	}
	p.Stop(t)
	for _, kept := range []string{filepath.Join(filepath.Dir(p.Home), "done"), p.Home} {
		if _, err := os.Stat(kept); err != nil {
			t.Error(err)
		}
	}
}

// A test binary that is killed closes its end of the pipe.
func TestNothingOutlivesItsOwner(t *testing.T) {
	p, err := started(t, `echo $$ >ready; sleep 1000`)
	if err != nil {
		t.Fatal(err)
	}
	p.stdin.Close()
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		t.Fatal("the engine lives on")
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(p.Home); errors.Is(err, os.ErrNotExist) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("its data lies there still")
		}
	}
}
