package transport

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"

	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/rest"
)

// exchange is one request on its way to its answer.
type exchange struct {
	*Transport
	c           *fiber.Ctx
	route       *routes.Route // nil when nothing matches
	started     time.Time
	opaqueID    string
	contentType mediaType
	accept      mediaType
	options     options
	prettySaid  bool        // ?pretty stands in the URL, in whatever form
	stream      *bodyStream // of a body that the server has not read whole
	held        int64       // bytes reserved at the breaker
}

// Handle is the routes' Handle.
func (t *Transport) Handle(c *fiber.Ctx, r *routes.Route, in *rest.Input, call func(ctx context.Context) (routes.Answer, error)) error {
	x := exchange{Transport: t, c: c, route: r, started: time.Now()}
	x.opaqueID = string(c.Context().Request.Header.Peek("X-Opaque-Id"))
	x.stream = newBodyStream(&c.Context().Request)
	x.begin()
	answer, err := x.answer(in, call)
	var elsewhere *rest.Elsewhere
	switch {
	case errors.As(err, &elsewhere):
		x.passOn(in.Body, elsewhere)
	case err != nil:
		x.writeError(err)
	default:
		x.writeAnswer(answer)
	}
	if x.held > 0 {
		t.breaker.release(x.held)
	}
	x.drain()
	x.log()
	return nil
}

// begin sets the headers that every answer has.
func (x *exchange) begin() {
	h := &x.c.Context().Response.Header
	h.Set("X-elastic-product", "Elasticsearch")
	if x.opaqueID != "" {
		h.Set("X-Opaque-Id", x.opaqueID)
	}
}

// answer does all that comes before the answer is written.
func (x *exchange) answer(in *rest.Input, call func(ctx context.Context) (routes.Answer, error)) (answer routes.Answer, err error) {
	req := &x.c.Context().Request
	if x.contentType, err = parseMediaType("Content-Type", string(req.Header.ContentType())); err != nil {
		return nil, err
	}
	if x.accept, err = parseMediaType("Accept", string(req.Header.Peek("Accept"))); err != nil {
		return nil, err
	}
	hasBody := x.stream != nil || req.BodyStream() == nil && len(req.Body()) > 0
	if err := checkVersions(x.contentType, x.accept, hasBody); err != nil {
		x.accept = mediaType{} // not to be echoed
		return nil, err
	}
	params, err := parseQuery(string(req.URI().QueryString()))
	if err != nil {
		return nil, err
	}
	if x.options, err = readOptions(params); err != nil {
		return nil, err
	}
	for _, p := range params {
		x.prettySaid = x.prettySaid || p.Name == "pretty"
	}
	if err := x.answerable(); err != nil {
		return nil, err
	}
	if x.route != nil {
		in.Query = params
		if in.Body, err = x.body(hasBody); err != nil {
			return nil, err
		}
	}
	ctx := x.base
	if x.cfg.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, x.cfg.Deadline)
		defer cancel()
	}
	if x.options.human {
		ctx = rest.WithHuman(ctx)
	}
	if len(req.Header.Peek(passedOnHeader)) > 0 {
		ctx = rest.WithPassedOn(ctx)
	}
	return x.run(ctx, call)
}

// answerable refuses forms of answers that Elasticsearch writes and we do not.
func (x *exchange) answerable() error {
	switch x.answerFormat() {
	case cborFormat, smileFormat:
		asked := x.options.format
		if asked == "" {
			asked = x.accept.name
		}
		x.options.format, x.accept = "json", mediaType{}
		return eserr.StatusException(fiber.StatusNotAcceptable, "answers in ["+asked+"] are not supported, only JSON and YAML")
	}
	return nil
}

// body gives the body, or the parameter source, as JSON.
func (x *exchange) body(hasBody bool) ([]byte, error) {
	if !hasBody {
		if x.options.hasSource {
			return x.source()
		}
		return nil, nil
	}
	switch x.contentType.format {
	case jsonFormat, ndjsonFormat:
	case yamlFormat:
		if !x.takesLines() {
			break
		}
		fallthrough
	default:
		shown := x.contentType.name
		if shown == "" {
			shown = x.contentType.raw
		}
		return nil, unsupportedType(shown)
	}
	body, held, err := x.readBody(x.c, x.stream)
	x.held = held
	if err != nil {
		return nil, err
	}
	if x.contentType.format == yamlFormat {
		return yamlToJSON(body)
	}
	return body, nil
}

// takesLines says whether the endpoint's body is newline delimited.
func (x *exchange) takesLines() bool {
	switch x.route.Endpoint {
	case "bulk", "msearch", "msearch_template":
		return true
	}
	return false
}

// source is the body that stands in the URL.
func (x *exchange) source() ([]byte, error) {
	if x.options.source == "" || x.options.sourceType == "" {
		return nil, eserr.SourceWithoutType()
	}
	m, err := parseMediaType("source_content_type", x.options.sourceType)
	if err != nil {
		return nil, eserr.SourceType(x.options.sourceType)
	}
	switch m.format {
	case jsonFormat, ndjsonFormat:
		return []byte(x.options.source), nil
	case yamlFormat:
		return yamlToJSON([]byte(x.options.source))
	}
	return nil, eserr.SourceType(x.options.sourceType)
}

// drain reads what a refused request has still to send, so that its client gets to
// the answer; whoever sends too much or too slowly is cut off.
func (x *exchange) drain() {
	if x.stream == nil || x.stream.ended {
		return
	}
	conn := x.c.Context().Conn()
	conn.SetReadDeadline(time.Now().Add(drainTime))
	if n, err := io.CopyN(io.Discard, x.stream, 2*x.cfg.MaxBody); err != io.EOF || n == 2*x.cfg.MaxBody {
		x.c.Context().Response.SetConnectionClose()
	}
	conn.SetReadDeadline(time.Time{})
}

const drainTime = 10 * time.Second

func (x *exchange) log() {
	took := time.Since(x.started)
	level := slog.LevelDebug
	message := "request"
	if x.cfg.SlowLog > 0 && took >= x.cfg.SlowLog {
		level, message = slog.LevelWarn, "slow request"
	}
	if !x.cfg.Log.Enabled(x.base, level) {
		return
	}
	x.cfg.Log.Log(x.base, level, message, x.attributes("status", x.c.Response().StatusCode(), "took", took)...)
}

// attributes are what the log says of a request, before more.
func (x *exchange) attributes(more ...any) []any {
	attrs := []any{"method", x.c.Method(), "uri", x.c.OriginalURL()}
	if x.route != nil {
		attrs = append(attrs, "endpoint", x.route.Endpoint)
	}
	if x.opaqueID != "" {
		attrs = append(attrs, "opaque_id", x.opaqueID)
	}
	return append(attrs, more...)
}
