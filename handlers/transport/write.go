package transport

import (
	"bytes"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"postern/generated/routes"
	"postern/handlers/transport/render"
	"postern/internal/jsonx"
)

// What an answer may say of itself, besides its JSON.
type (
	statuser interface{ Status() int }
	texter   interface{ AppendText(dst []byte) []byte }
	headerer interface {
		Headers(set func(name, value string))
	}
	appender interface{ AppendJSON(dst []byte) []byte }
)

const textPlain = "text/plain; charset=UTF-8"

// compressFrom is the length from which on an answer is worth compressing.
const compressFrom = 1 << 10

func (x *exchange) writeAnswer(a routes.Answer) {
	status := fiber.StatusOK
	if s, ok := a.(statuser); ok {
		status = s.Status()
	}
	if h, ok := a.(headerer); ok {
		h.Headers(x.c.Context().Response.Header.Set)
	}
	text, hasText := a.(texter)
	if hasText && (x.answerFormat() == noFormat || x.answerFormat() == textFormat) {
		res := &x.c.Context().Response
		res.SetStatusCode(status)
		res.Header.SetContentType(textPlain)
		setBody(res, text.AppendText(res.SwapBody(nil)[:0]))
		x.compress()
		return
	}
	x.writeBody(status, a, render.ParseFilter(x.options.filterPath))
}

// pooledBody is up to what size the buffer of an answer is used again for the next.
const pooledBody = 1 << 20

func setBody(res *fasthttp.Response, body []byte) {
	if cap(body) > pooledBody {
		res.SetBodyRaw(body)
		return
	}
	res.SwapBody(body)
}

// answerFormat is the form that the client asked for.
func (x *exchange) answerFormat() format {
	switch strings.ToLower(x.options.format) {
	case "":
	case "json":
		return jsonFormat
	case "yaml":
		return yamlFormat
	case "cbor":
		return cborFormat
	case "smile":
		return smileFormat
	case "text", "txt":
		return textFormat
	}
	return x.accept.format
}

// writeBody writes JSON or what is made of it.
func (x *exchange) writeBody(status int, a appender, filter *render.Filter) {
	res := &x.c.Context().Response
	res.SetStatusCode(status)
	f := x.answerFormat()
	if f != jsonFormat && f != yamlFormat {
		f = jsonFormat
		if x.contentType.format == yamlFormat && x.accept.format == noFormat {
			f = yamlFormat
		}
	}
	res.Header.SetContentType(x.contentTypeOf(f))
	pretty := x.options.pretty || !x.prettySaid && x.route != nil && x.route.Endpoint == "info" && status == fiber.StatusOK
	body := a.AppendJSON(res.SwapBody(nil)[:0])
	if len(body) > 0 && (pretty || filter != nil || f == yamlFormat) {
		body = reshape(body, f, pretty, filter)
	}
	setBody(res, body)
	x.compress()
}

// reshape makes another form of an answer.
func reshape(body []byte, f format, pretty bool, filter *render.Filter) []byte {
	v, err := jsonx.Parse(body)
	if err != nil || !v.Exists() {
		return body
	}
	if filter != nil {
		body = filter.Append(make([]byte, 0, len(body)), v)
		if v, err = jsonx.Parse(body); err != nil || !v.Exists() {
			return body
		}
	}
	switch {
	case f == yamlFormat:
		return render.YAML(nil, v)
	case pretty:
		return append(render.Pretty(make([]byte, 0, 2*len(body)), v), '\n')
	}
	return body
}

// contentTypeOf is the media type of an answer: the one asked for, with its parameters,
// where it is of that form.
func (x *exchange) contentTypeOf(f format) string {
	if x.options.format == "" && x.accept.format == f {
		return x.accept.name + x.accept.params
	}
	if f == yamlFormat {
		return "application/yaml"
	}
	return "application/json"
}

// compress compresses the body where the client takes it and it pays.
func (x *exchange) compress() {
	res := &x.c.Context().Response
	if len(res.Body()) < compressFrom || !acceptsGzip(x.c.Context().Request.Header.Peek("Accept-Encoding")) {
		return
	}
	setBody(res, fasthttp.AppendGzipBytesLevel(nil, res.Body(), fasthttp.CompressBestSpeed))
	res.Header.Set("Content-Encoding", "gzip")
	res.Header.Set("Vary", "Accept-Encoding")
}

func acceptsGzip(header []byte) bool {
	for part := range bytes.SplitSeq(header, []byte(",")) {
		name, q, _ := bytes.Cut(bytes.TrimSpace(part), []byte(";"))
		if name = bytes.TrimSpace(name); string(name) == "gzip" || string(name) == "*" {
			q = bytes.ReplaceAll(q, []byte(" "), nil)
			return string(q) != "q=0" && string(q) != "q=0.0"
		}
	}
	return false
}
