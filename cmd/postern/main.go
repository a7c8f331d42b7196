// Command postern is an Elasticsearch endpoint.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1 // it could not start, or stopped for an error
	exitUsage   = 2 // the command line is wrong
)

type commands struct {
	Serve   serve         `cmd:"" help:"Serve Elasticsearch's API."`
	Fence   fenceCommands `cmd:"" help:"Look after the fence that gateways of one Qdrant share in Valkey."`
	Version version       `cmd:"" help:"Print the version."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program but for the process around it. ctx ends a server.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c commands
	exited := -1
	parser, err := kong.New(&c, kong.Name("postern"), kong.Description("An Elasticsearch endpoint in one process."),
		kong.Writers(stdout, stderr), kong.Exit(func(code int) { exited = code }), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		fmt.Fprintln(stderr, "postern:", err)
		return exitUsage
	}
	command, err := parser.Parse(args)
	switch {
	case exited == exitOK: // help was asked for and printed
		return exitOK
	case err != nil:
		fmt.Fprintf(stderr, "postern: %s (postern --help tells more)\n", err)
		return exitUsage
	}
	err = command.Run(&environment{ctx, stdout, stderr})
	var usage usageError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintln(stderr, "postern:", err)
		return exitUsage
	case err != nil:
		fmt.Fprintln(stderr, "postern:", err)
		return exitFailure
	}
	return exitOK
}

// environment is what a command has besides its flags.
type environment struct {
	ctx            context.Context
	stdout, stderr io.Writer
}

// usageError is an error of the command line.
type usageError string

func (e usageError) Error() string { return string(e) }
