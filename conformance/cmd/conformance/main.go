// Command conformance records traffic of an engine, replays it on others, and starts
// engines to do so with.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

type commands struct {
	Record recordCommand `cmd:"" help:"Ask an engine what the files ask, and write its answers into them; or record an application's traffic."`
	Replay replayCommand `cmd:"" help:"Replay recordings on engines and show what differs."`
	Expect expectCommand `cmd:"" help:"Write the list of an engine's differences, with the reasons of its kinds of difference."`
	Versus versusCommand `cmd:"" help:"Ask an engine and Postern drawn requests, and shrink what they answer differently."`
	Report reportCommand `cmd:"" help:"Show what replay --results has written as a page."`
	Up     upCommand     `cmd:"" help:"Start an engine (elasticsearch, opensearch, postern, qdrant) and print its address."`
	Down   downCommand   `cmd:"" help:"Stop an engine."`
	Status statusCommand `cmd:"" help:"Show the engines: address, version, memory, health."`
}

func main() {
	var c commands
	parsed := kong.Parse(&c, kong.Name("conformance"), kong.Description("Recorded Elasticsearch traffic, replayed."), kong.UsageOnError())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parsed.BindTo(ctx, (*context.Context)(nil))
	parsed.FatalIfErrorf(parsed.Run())
}
