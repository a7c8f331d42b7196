package engines

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Restart kills the engine called name, as a power cut would, and starts it again over the
// data that it has. It returns once the process runs; Ask says when it is ready.
func Restart(ctx context.Context, cache, name string) (Running, error) {
	e, err := Named(name)
	if err != nil {
		return Running{}, err
	}
	r, err := Find(cache, name)
	if err != nil {
		return Running{}, err
	}
	if err := syscall.Kill(r.PID, syscall.SIGKILL); err != nil {
		return Running{}, err
	}
	for r.alive() {
		select {
		case <-ctx.Done():
			return Running{}, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	port, err := portOf(r.Address)
	if err != nil {
		return Running{}, err
	}
	cmd, err := e.Command(filepath.Join(cache, name), r.Home, port)
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
	return r, os.WriteFile(stateFile(cache, name), state, 0o644)
}

// portOf reads the port of a URL or of HOST:PORT.
func portOf(address string) (int, error) {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		address = u.Host
	}
	return strconv.Atoi(address[strings.LastIndex(address, ":")+1:])
}
