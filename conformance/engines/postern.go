package engines

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Postern is this repository's own server, on its embedded store.
type Postern struct{}

// Name is what users call it.
func (Postern) Name() string { return "postern" }

// Port is not 9200, which a user's own server may hold.
func (Postern) Port() int { return 19220 }

// Address is the server's URL.
func (Postern) Address(port int) string { return httpAddress(port) }

// Ask asks for the server's health.
func (Postern) Ask(ctx context.Context, url string) (State, error) { return askHTTP(ctx, url) }

// Prepare builds the server.
func (Postern) Prepare(ctx context.Context, dir string) error {
	// From its own module: another one that imports this package need not know what it needs.
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "postern").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, "postern"), "postern/cmd/postern")
	cmd.Dir = strings.TrimSpace(string(root))
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, tail(string(out), 20))
	}
	return nil
}

// Command serves with its data below home.
func (Postern) Command(dir, home string, port int) (*exec.Cmd, error) {
	return exec.Command(filepath.Join(dir, "postern"), "serve",
		"--listen", "127.0.0.1:"+strconv.Itoa(port), "--data", filepath.Join(home, "data")), nil
}

// PosternOnQdrant is this repository's own server with everything in a Qdrant.
type PosternOnQdrant struct {
	Postern
	// Qdrant is the address of that; the one that Up starts if empty.
	Qdrant string
}

// Name is what users call it.
func (PosternOnQdrant) Name() string { return "postern-qdrant" }

// Port is another one than the embedded server's.
func (PosternOnQdrant) Port() int { return 19221 }

// Command serves what is in Qdrant.
func (p PosternOnQdrant) Command(dir, _ string, port int) (*exec.Cmd, error) {
	address := p.Qdrant
	if address == "" {
		address = Qdrant{}.Address(Qdrant{}.Port())
	}
	return exec.Command(filepath.Join(dir, "postern"), "serve", "--listen", "127.0.0.1:"+strconv.Itoa(port), "--qdrant", address), nil
}

// PosternOnQdrantAndValkey is this repository's own server with everything in a Qdrant and a
// fence in a Valkey.
type PosternOnQdrantAndValkey struct {
	PosternOnQdrant
	// Valkey is the address of that; the one that Up starts if empty.
	Valkey string
}

// Name is what users call it.
func (PosternOnQdrantAndValkey) Name() string { return "postern-qdrant-valkey" }

// Port is another one than the other shapes'.
func (PosternOnQdrantAndValkey) Port() int { return 19222 }

// Command serves what is in Qdrant.
func (p PosternOnQdrantAndValkey) Command(dir, home string, port int) (*exec.Cmd, error) {
	cmd, err := p.PosternOnQdrant.Command(dir, home, port)
	if err != nil {
		return nil, err
	}
	address := p.Valkey
	if address == "" {
		address = Valkey{}.Address(Valkey{}.Port())
	}
	cmd.Args = append(cmd.Args, "--valkey", address)
	return cmd, nil
}
