package engines

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"embed"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/qdrant/go-client/qdrant"
)

// shim is the program that puts Qdrant's engine behind Qdrant's gRPC services.
//
//go:embed qdrant-edge/requirements.txt qdrant-edge/edgeserver/*.py
var shim embed.FS

// Qdrant is Qdrant's engine, the PyPI package qdrant-edge-py, behind a gRPC server of
// ours (qdrant-edge/README.md). It is no Qdrant server: good for what is right, never for
// what is fast.
type Qdrant struct {
	// APIKey is what clients have to send; empty: nothing.
	APIKey string
	// Certificate and PrivateKey are files: with them it speaks TLS.
	Certificate, PrivateKey string
}

// Name is what users call it.
func (Qdrant) Name() string { return "qdrant" }

// Port is not 6334, which a user's own server may hold.
func (Qdrant) Port() int { return 19334 }

// Address is the host and port of its gRPC services.
func (Qdrant) Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// Ask asks for its health as the official client does.
func (q Qdrant) Ask(ctx context.Context, address string) (State, error) {
	client, err := q.Client(address)
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

// Client is the official client, with one connection to address.
func (q Qdrant) Client(address string) (*qdrant.Client, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	config := &qdrant.Config{Host: host, Port: number, APIKey: q.APIKey, PoolSize: 1, SkipCompatibilityCheck: true}
	if q.Certificate != "" {
		certificate, err := os.ReadFile(q.Certificate)
		if err != nil {
			return nil, err
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(certificate)
		config.UseTLS, config.TLSConfig = true, &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	return qdrant.NewClient(config)
}

// Prepare makes a virtual environment with the pinned packages.
func (Qdrant) Prepare(ctx context.Context, dir string) error {
	pins, err := shim.ReadFile("qdrant-edge/requirements.txt")
	if err != nil {
		return err
	}
	return makeEnvironment(ctx, dir, pins)
}

// Command serves the collections below home. The program is unpacked there too, so that
// trees with different versions of it don't meet.
func (q Qdrant) Command(dir, home string, port int) (*exec.Cmd, error) {
	program := filepath.Join(home, "program")
	if _, err := unpack(shim, "qdrant-edge", program); err != nil {
		return nil, err
	}
	pins, err := shim.ReadFile("qdrant-edge/requirements.txt")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(environment(dir, pins), "bin", "python"), "-m", "edgeserver",
		"--port", strconv.Itoa(port), "--data", filepath.Join(home, "collections"))
	cmd.Dir = program
	if q.APIKey != "" {
		cmd.Args = append(cmd.Args, "--api-key", q.APIKey)
	}
	if q.Certificate != "" {
		cmd.Args = append(cmd.Args, "--tls", q.Certificate, q.PrivateKey)
	}
	return cmd, nil
}
