// Package engines starts and stops the engines that recordings are made from and
// replayed on.
package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrMissing says that a program is missing that the engine needs.
var ErrMissing = errors.New("missing on this machine")

// Engine is one kind of engine that can be started here.
type Engine interface {
	Name() string
	// Port is where it listens when nothing else is said.
	Port() int
	// Prepare fetches and builds what the engine needs; the result is kept in dir.
	Prepare(ctx context.Context, dir string) error
	// Command starts it in the foreground, with its data below home.
	Command(dir, home string, port int) (*exec.Cmd, error)
	// Address is what a client of it is given, when it listens on port.
	Address(port int) string
	// Ask says how the engine at address does; an error means that it is not ready.
	Ask(ctx context.Context, address string) (State, error)
}

// State is what an engine says of itself.
type State struct {
	Version string
	Health  string
}

// All returns the engines that Up can start.
func All() []Engine {
	return []Engine{Elasticsearch{}, OpenSearch{}, Postern{}, PosternOnQdrant{}, PosternOnQdrantAndValkey{}, Qdrant{}, Valkey{}}
}

// Named returns the engine called name.
func Named(name string) (Engine, error) {
	for _, e := range All() {
		if e.Name() == name {
			return e, nil
		}
	}
	return nil, fmt.Errorf("no engine is called %q", name)
}

// Running is a started engine.
type Running struct {
	Engine  string `json:"engine"`
	Address string `json:"address"`
	PID     int    `json:"pid"`
	Home    string `json:"home"`
}

// Log is the file with what it printed.
func (r Running) Log() string { return filepath.Join(r.Home, "stdout.log") }

// Cache is the folder for engines and their data; below the user's cache folder if dir is
// empty.
func Cache(dir string) (string, error) {
	if dir != "" {
		return filepath.Abs(dir)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "postern", "engines"), nil
}

// Up starts e with an empty data folder and waits until it is ready.
func Up(ctx context.Context, e Engine, cache string, port int) (Running, error) {
	if old, err := find(cache, e.Name()); err == nil && old.alive() {
		return old, fmt.Errorf("%s runs already, at %s", e.Name(), old.Address)
	}
	dir := filepath.Join(cache, e.Name())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Running{}, err
	}
	if err := e.Prepare(ctx, dir); err != nil {
		return Running{}, fmt.Errorf("%s: %w", e.Name(), err)
	}
	if port == 0 {
		port = e.Port()
	}
	r := Running{Engine: e.Name(), Address: e.Address(port), Home: filepath.Join(dir, "run")}
	if err := os.RemoveAll(r.Home); err != nil {
		return Running{}, err
	}
	if err := os.MkdirAll(r.Home, 0o755); err != nil {
		return Running{}, err
	}
	cmd, err := e.Command(dir, r.Home, port)
	if err != nil {
		return Running{}, err
	}
	if err := r.start(cmd); err != nil {
		return Running{}, err
	}
	state, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	if err := os.WriteFile(stateFile(cache, e.Name()), state, 0o644); err != nil {
		return r, err
	}
	return r, r.wait(ctx, e)
}

// start detaches the process: it outlives the command that started it.
func (r *Running) start(cmd *exec.Cmd) error {
	log, err := os.Create(r.Log())
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.PID = cmd.Process.Pid
	go func() { _ = cmd.Wait() }() // so that alive sees it end
	return nil
}

// startTimeout bounds how long an engine may take until it is healthy.
const startTimeout = 3 * time.Minute

func (r Running) wait(ctx context.Context, e Engine) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if _, err := e.Ask(ctx, r.Address); err == nil {
			return nil
		}
		if !r.alive() {
			log, _ := os.ReadFile(r.Log())
			return fmt.Errorf("%s ended while starting:\n%s", r.Engine, tail(string(log), 30))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s did not answer in time; see %s", r.Engine, r.Log())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Find returns the engine called name that Up has started.
func Find(cache, name string) (Running, error) {
	r, err := find(cache, name)
	if err == nil && !r.alive() {
		err = fmt.Errorf("%s is not running", name)
	}
	return r, err
}

func find(cache, name string) (Running, error) {
	text, err := os.ReadFile(stateFile(cache, name))
	if err != nil {
		return Running{}, fmt.Errorf("%s is not running", name)
	}
	var r Running
	return r, json.Unmarshal(text, &r)
}

func stateFile(cache, name string) string { return filepath.Join(cache, name+".json") }

// Down stops the engine and waits for its end.
func Down(ctx context.Context, cache, name string) error {
	r, err := Find(cache, name)
	if err != nil {
		return err
	}
	if err := syscall.Kill(r.PID, syscall.SIGTERM); err != nil {
		return err
	}
	for r.alive() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return os.Remove(stateFile(cache, name))
}

// alive says whether the process is there and is no zombie.
func (r Running) alive() bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", r.PID))
	if err != nil {
		return r.PID > 0 && !os.IsNotExist(err) && syscall.Kill(r.PID, 0) == nil
	}
	_, after, ok := strings.Cut(string(stat), ") ")
	return ok && !strings.HasPrefix(after, "Z")
}

// Memory is the engine's resident memory in bytes.
func (r Running) Memory() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.PID))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("process %d tells no resident memory", r.PID)
}

func tail(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// need finds a program, or says that the engine can't be had without it.
func need(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("%s is %w", program, ErrMissing)
	}
	return path, nil
}
