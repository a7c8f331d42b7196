package engines

import (
	"context"
	"os/exec"
)

// OpenSearch is version 3.9.0, from its Maven artifacts.
type OpenSearch struct{}

var opensearch = jvm{
	name: "opensearch", main: "engine.OpenSearchNode", java: 21, homes: []string{"OPENSEARCH_JAVA_HOME"},
	options: []string{"--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"},
}

// Name is what users call it.
func (OpenSearch) Name() string { return opensearch.name }

// Port is not 9200, which a user's own server may hold.
func (OpenSearch) Port() int { return 19239 }

// Address is the node's URL.
func (OpenSearch) Address(port int) string { return httpAddress(port) }

// Ask asks for the cluster's health.
func (OpenSearch) Ask(ctx context.Context, url string) (State, error) { return askHTTP(ctx, url) }

// Prepare fetches the jars and compiles the launcher.
func (OpenSearch) Prepare(ctx context.Context, dir string) error { return opensearch.prepare(ctx, dir) }

// Command starts one node.
func (OpenSearch) Command(dir, home string, port int) (*exec.Cmd, error) {
	return opensearch.command(dir, home, port)
}
