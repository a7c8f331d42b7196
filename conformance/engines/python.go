package engines

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// makeEnvironment makes a virtual environment of Python with pinned packages, once for each
// change of them. Several test binaries may ask at the same time: one makes it, the others
// wait.
func makeEnvironment(ctx context.Context, dir string, pins []byte) error {
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
	environment := environment(dir, pins)
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
func environment(dir string, pins []byte) string {
	sum := sha256.Sum256(pins)
	return filepath.Join(dir, "venv-"+hex.EncodeToString(sum[:4]))
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
