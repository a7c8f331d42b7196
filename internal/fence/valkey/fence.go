// Package valkey is the fence that gateways share: its state lies in one Valkey primary,
// and each step is one server-side function and one round trip.
//
// A restart of the server, perhaps from an older file, shows only in its run id. Every
// call names the run and the incarnation that the caller knows, so that nothing is served,
// published or begun in a state that nobody has vouched for: the first gateway to notice
// advances the incarnation, first in the durable store and then here.
package valkey

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valkey-io/valkey-go"

	"postern/internal/fence"
)

// Incarnations is the durable counter of the fence's incarnations, beside the documents.
type Incarnations interface {
	// Advance raises the counter, to one above what it was or above least if that is more,
	// and names the gateways that may hold open tokens.
	Advance(ctx context.Context, least uint64) (incarnation uint64, owners []string, err error)
}

// Config is how a gateway reaches the fence, and its bounds. All gateways have the same
// bounds.
type Config struct {
	Address, Username, Password string
	TLS                         *tls.Config
	// Prefix begins all keys; it names the cluster.
	Prefix string
	// Owner names this gateway, and no other one ever.
	Owner        string
	Incarnations Incarnations
	// Timeout bounds one round trip; 2 s if zero.
	Timeout time.Duration
	// EntryTTL is how long an answer is kept at most; an hour if zero.
	EntryTTL time.Duration
	// LogLines bounds the log of written ids of one index; 65,536 if zero.
	LogLines int
	// MaxTokens and MaxTokenBytes bound all open tokens and the ids they hold; 65,536 and
	// 64 MiB if zero.
	MaxTokens, MaxTokenBytes int
	Log                      *slog.Logger
}

// Fence is one gateway's end of the shared fence. It is safe for concurrent use.
type Fence struct {
	client       valkey.Client
	prefix       string
	owner        string
	incarnations Incarnations
	timeout      time.Duration
	entryMillis  string
	bounds       []string // log lines, tokens, bytes
	log          *slog.Logger

	calls   atomic.Int64
	epoch   atomic.Pointer[epoch]
	renew   sync.Mutex // one advance at a time
	tokens  atomic.Uint64
	open    sync.Map // token id → fence.Intent, of this gateway
	stop    context.CancelFunc
	stopped atomic.Bool
	beats   sync.WaitGroup
}

// epoch is what a gateway knows of the state of the server.
type epoch struct {
	incarnation uint64
	text        string // the incarnation in digits
	run         string
}

var _ fence.Fence = (*Fence)(nil)

// Open connects, checks the server's settings, loads the functions and takes part in the
// current incarnation. A wrong setting is an error that names it.
func Open(ctx context.Context, c Config) (*Fence, error) {
	c.orDefaults()
	client, err := valkey.NewClient(valkey.ClientOption{
		InitAddress: []string{c.Address}, Username: c.Username, Password: c.Password, TLSConfig: c.TLS,
		ForceSingleClient: true, DisableRetry: true, DisableCache: true, ClientName: "postern",
	})
	if err != nil {
		return nil, fmt.Errorf("valkey %s: %w", c.Address, err)
	}
	f := &Fence{
		client: client, prefix: c.Prefix, owner: c.Owner, incarnations: c.Incarnations, timeout: c.Timeout, log: c.Log,
		entryMillis: strconv.FormatInt(c.EntryTTL.Milliseconds(), 10),
		bounds:      []string{strconv.Itoa(c.LogLines), strconv.Itoa(c.MaxTokens), strconv.Itoa(c.MaxTokenBytes)},
	}
	f.epoch.Store(&epoch{text: "0"})
	if err := f.start(ctx); err != nil {
		client.Close()
		return nil, fmt.Errorf("valkey %s: %w", c.Address, err)
	}
	return f, nil
}

func (c *Config) orDefaults() {
	orDefault(&c.Timeout, 2*time.Second)
	orDefault(&c.EntryTTL, time.Hour)
	orDefault(&c.LogLines, 65536)
	orDefault(&c.MaxTokens, 65536)
	orDefault(&c.MaxTokenBytes, 64<<20)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

func orDefault[T int | time.Duration](v *T, fallback T) {
	if *v == 0 {
		*v = fallback
	}
}

func (f *Fence) start(ctx context.Context) error {
	if err := f.checkSettings(ctx); err != nil {
		return err
	}
	if err := f.load(ctx); err != nil {
		return err
	}
	if err := f.join(ctx); err != nil {
		return err
	}
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	f.stop = stop
	f.beats.Go(func() { f.beat(beating) })
	return nil
}

// Close ends the gateway's part. Its open tokens stay open.
func (f *Fence) Close() {
	f.stopped.Store(true)
	f.stop()
	f.beats.Wait()
	f.client.Close()
}

// Owner names this gateway.
func (f *Fence) Owner() string { return f.owner }

// Calls counts the round trips since Open.
func (f *Fence) Calls() int64 { return f.calls.Load() }

// current puts what the gateway knows of the server before the arguments of a step, and
// joins the server's present incarnation when that is another one.
func (f *Fence) current(ctx context.Context, function string, readOnly bool, args func(e *epoch) []string) ([]valkey.ValkeyMessage, *epoch, error) {
	for range 8 {
		e := f.epoch.Load()
		list, err := f.call(ctx, function, readOnly, append([]string{e.text, e.run}, args(e)...)...)
		if err != nil {
			return nil, e, err
		}
		word, err := list[0].ToString()
		if err != nil || word != "incarnation" {
			return list, e, unavailableIf(err)
		}
		if err := f.join(ctx); err != nil {
			return nil, e, err
		}
	}
	return nil, nil, fmt.Errorf("%w: its incarnation changes all the time", fence.ErrUnavailable)
}

func unavailableIf(err error) error {
	if err == nil {
		return nil
	}
	return unavailable(err)
}

var errAnswer = errors.New("valkey: an answer of another form than the library gives")
