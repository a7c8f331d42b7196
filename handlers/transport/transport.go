// Package transport is HTTP: everything that is the same for all endpoints. It reads a
// request into a rest.Input, has it answered, and writes the answer in the form that
// the client asked for.
package transport

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"postern/generated/routes"
)

// Config is what an operator may set.
type Config struct {
	// MaxBody is the limit of a body in bytes, inflated.
	MaxBody int64
	// MemoryLimit is where the memory breaker trips; 0 for no limit.
	MemoryLimit int64
	// Deadline ends the context of a request; 0 for none.
	Deadline time.Duration
	// SlowLog is from when on a request is logged as slow; 0 for never.
	SlowLog time.Duration
	Log     *slog.Logger
}

// DefaultMaxBody is Elasticsearch's http.max_content_length.
const DefaultMaxBody = 100 << 20

const (
	// readBuffer bounds the request line with all headers. Elasticsearch takes 4 kB and
	// 16 kB of them.
	readBuffer = 32 << 10
	// streamFrom is from what length on a body is read by us instead of the server, so
	// that the breaker is asked first and memory is allocated once.
	streamFrom = 256 << 10
)

// Transport serves HTTP.
type Transport struct {
	cfg     Config
	breaker *breaker
	app     *fiber.App
	gzips   sync.Pool // *gzip.Reader
	peers   fasthttp.Client
	base    context.Context // of all requests
	cancel  context.CancelFunc
}

// New makes a transport for the endpoints of s.
func New(cfg Config, s routes.Server) *Transport {
	if cfg.MaxBody <= 0 {
		cfg.MaxBody = DefaultMaxBody
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	t := &Transport{cfg: cfg, breaker: newBreaker(cfg.MemoryLimit)}
	t.base, t.cancel = context.WithCancel(context.Background())
	t.app = fiber.New(fiber.Config{
		CaseSensitive:                true,
		StrictRouting:                true,
		UnescapePath:                 false,
		DisableStartupMessage:        true,
		DisablePreParseMultipartForm: true,
		StreamRequestBody:            true,
		BodyLimit:                    streamFrom,
		ReadBufferSize:               readBuffer,
		IdleTimeout:                  5 * time.Minute,
		ErrorHandler:                 t.serverError,
	})
	routes.Register(t.app, s, t.Handle)
	handler := t.app.Handler()
	t.app.Server().Handler = func(c *fasthttp.RequestCtx) {
		if !knownMethod(string(c.Method())) {
			t.unknownMethod(c)
			return
		}
		handler(c)
	}
	return t
}

// Serve answers requests until Shutdown.
func (t *Transport) Serve(ln net.Listener) error { return t.app.Listener(ln) }

// Shutdown takes no new requests and waits for those that run, as long as ctx allows.
func (t *Transport) Shutdown(ctx context.Context) error {
	defer t.cancel()
	return t.app.ShutdownWithContext(ctx)
}

// App is for tests, which need no port.
func (t *Transport) App() *fiber.App { return t.app }

func knownMethod(m string) bool {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT":
		return true
	}
	return false
}
