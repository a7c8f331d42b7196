package engines

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/qdrant/go-client/qdrant"
)

// shim is the program that puts Qdrant's engine behind Qdrant's gRPC services.
//
//go:embed qdrant-edge/requirements.txt qdrant-edge/edgeserver/*.py
var shim embed.FS

// Qdrant is Qdrant's engine, the PyPI package qdrant-edge-py, behind a gRPC server of
// ours (qdrant-edge/README.md). It is no Qdrant server: good for what is right, never for
// what is fast.
type Qdrant struct{}

// Name is what users call it.
func (Qdrant) Name() string { return "qdrant" }

// Port is not 6334, which a user's own server may hold.
func (Qdrant) Port() int { return 19334 }

// Address is the host and port of its gRPC services.
func (Qdrant) Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// Ask asks for its health as the official client does.
func (Qdrant) Ask(ctx context.Context, address string) (State, error) {
	client, err := QdrantClient(address)
	if err != nil {
		return State{}, err
	}
	defer client.Close()
	health, err := client.HealthCheck(ctx)
	if err != nil {
		return State{}, err
	}
	return State{Version: health.GetVersion(), Health: health.GetTitle()}, nil
}

// QdrantClient is the official client, with one connection to address.
func QdrantClient(address string) (*qdrant.Client, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	return qdrant.NewClient(&qdrant.Config{Host: host, Port: number, PoolSize: 1, SkipCompatibilityCheck: true})
}

// Prepare makes a virtual environment with the pinned packages, once for each change of
// them. Several test binaries may ask at the same time: one makes it, the others wait.
func (Qdrant) Prepare(ctx context.Context, dir string) error {
	python, err := need("python3")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	unlock, err := lock(filepath.Join(dir, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	environment, err := environment(dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(environment); err == nil {
		return nil
	}
	half := environment + ".new"
	requirements := filepath.Join(half, "requirements.txt")
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, python, "-m", "venv", half).CombinedOutput(); err != nil {
		return fmt.Errorf("python3 -m venv: %w\n%s", ErrMissing, tail(string(out), 10))
	}
	pins, err := shim.ReadFile("qdrant-edge/requirements.txt")
	if err != nil {
		return err
	}
	if err := os.WriteFile(requirements, pins, 0o644); err != nil {
		return err
	}
	pip := exec.CommandContext(ctx, filepath.Join(half, "bin", "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", requirements)
	if out, err := pip.CombinedOutput(); err != nil {
		return fmt.Errorf("pip install (Python 3.11 or newer on Linux): %w\n%s", ErrMissing, tail(string(out), 10))
	}
	return os.Rename(half, environment) // python is found through pyvenv.cfg beside it: the folder may move
}

// environment is the virtual environment's folder below dir, named by what is in it.
func environment(dir string) (string, error) {
	pins, err := shim.ReadFile("qdrant-edge/requirements.txt")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(pins)
	return filepath.Join(dir, "venv-"+hex.EncodeToString(sum[:4])), nil
}

// lock waits for a file's lock, which other processes may hold.
func lock(name string) (unlock func(), err error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		file.Close()
		return nil, err
	}
	return func() { file.Close() }, nil
}

// Command serves the collections below home. The program is unpacked there too, so that
// trees with different versions of it don't meet.
func (Qdrant) Command(dir, home string, port int) (*exec.Cmd, error) {
	program := filepath.Join(home, "program")
	if _, err := unpack(shim, "qdrant-edge", program); err != nil {
		return nil, err
	}
	environment, err := environment(dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(environment, "bin", "python"), "-m", "edgeserver",
		"--port", strconv.Itoa(port), "--data", filepath.Join(home, "collections"))
	cmd.Dir = program
	return cmd, nil
}
