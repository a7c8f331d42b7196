package engines

import (
	"context"
	"os/exec"
)

// Elasticsearch is version 8.15.0, from its Maven artifacts.
type Elasticsearch struct{}

var elasticsearch = jvm{name: "elasticsearch", main: "engine.ElasticsearchNode", java: 17}

// Name is what users call it.
func (Elasticsearch) Name() string { return elasticsearch.name }

// Port is not 9200, which a user's own server may hold.
func (Elasticsearch) Port() int { return 19215 }

// Address is the node's URL.
func (Elasticsearch) Address(port int) string { return httpAddress(port) }

// Ask asks for the cluster's health.
func (Elasticsearch) Ask(ctx context.Context, url string) (State, error) { return askHTTP(ctx, url) }

// Prepare fetches the jars and compiles the launcher.
func (Elasticsearch) Prepare(ctx context.Context, dir string) error {
	return elasticsearch.prepare(ctx, dir)
}

// Command starts one node.
func (Elasticsearch) Command(dir, home string, port int) (*exec.Cmd, error) {
	return elasticsearch.command(dir, home, port)
}
