package transport

import (
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"postern/internal/rest"
)

// passedOnHeader marks a request that comes from another gateway.
const passedOnHeader = "X-Postern-Passed-On"

// passOnTimeout bounds the wait for another gateway where requests have no deadline.
const passOnTimeout = time.Minute

// passOn has another gateway answer the request, and gives its answer as it is.
func (x *exchange) passOn(body []byte, to *rest.Elsewhere) {
	in := &x.c.Context().Request
	req := fasthttp.AcquireRequest()
	defer fasthttp.ReleaseRequest(req)
	req.Header.SetMethodBytes(in.Header.Method())
	req.SetRequestURI(to.URL + x.c.OriginalURL())
	for _, name := range []string{fiber.HeaderAccept, fiber.HeaderAcceptEncoding, fiber.HeaderAuthorization, "X-Opaque-Id"} {
		if v := in.Header.Peek(name); len(v) > 0 {
			req.Header.SetBytesV(name, v)
		}
	}
	req.Header.Set(passedOnHeader, "true")
	if len(body) > 0 {
		// Accept names the version too, if any: both have to name the same.
		contentType := x.contentType.raw
		if x.contentType.format == yamlFormat {
			contentType = fiber.MIMEApplicationJSON
		}
		req.Header.SetContentType(contentType)
		req.SetBody(body)
	}
	res := fasthttp.AcquireResponse()
	defer fasthttp.ReleaseResponse(res)
	timeout := x.cfg.Deadline
	if timeout <= 0 {
		timeout = passOnTimeout
	}
	if err := x.peers.DoTimeout(req, res, timeout); err != nil {
		x.cfg.Log.Warn("another gateway does not answer", x.attributes("gateway", to.URL, "error", err.Error())...)
		x.writeError(to.Missing)
		return
	}
	out := &x.c.Context().Response
	out.SetStatusCode(res.StatusCode())
	res.Header.VisitAll(func(name, v []byte) {
		switch string(name) {
		case fiber.HeaderContentLength, fiber.HeaderConnection, fiber.HeaderTransferEncoding, fiber.HeaderDate, fiber.HeaderServer:
		default:
			out.Header.SetBytesKV(name, v)
		}
	})
	out.SetBody(res.Body())
}
