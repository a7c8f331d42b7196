package transport

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"postern/internal/eserr"
	"postern/internal/rest"
)

// plainError has a text where others have an error object.
type plainError struct {
	status int
	text   string
	// bare leaves the status out of the body.
	bare bool
}

func (e *plainError) Error() string { return e.text }

func (e *plainError) AppendJSON(dst []byte) []byte {
	if e.bare {
		return eserr.Plain(dst, e.text, 0)
	}
	return eserr.Plain(dst, e.text, e.status)
}

func unsupportedType(name string) error {
	return &plainError{status: fiber.StatusNotAcceptable, text: "Content-Type header [" + name + "] is not supported"}
}

// writeError writes any error. What no client should see becomes a 500 with an id
// that stands in the log.
func (x *exchange) writeError(err error) {
	var none *rest.NoHandler
	var method *rest.MethodNotAllowed
	var plain *plainError
	switch {
	case errors.As(err, &none):
		if x.c.Method() == fiber.MethodOptions {
			x.writeOptions(nil)
			return
		}
		plain = &plainError{status: fiber.StatusBadRequest, text: none.Error(), bare: true}
	case errors.As(err, &method):
		if x.c.Method() == fiber.MethodOptions {
			x.writeOptions(method.Allow)
			return
		}
		x.c.Context().Response.Header.Set("Allow", strings.Join(method.Allow, ","))
		plain = &plainError{status: fiber.StatusMethodNotAllowed, text: method.Error()}
	case errors.As(err, &plain):
	default:
		e, ok := eserr.As(err)
		if !ok {
			id := errorID()
			x.cfg.Log.Error("unexpected error", x.attributes("id", id, "error", err.Error())...)
			e = eserr.Internal(id)
		}
		if x.options.errorTrace {
			e = e.Traced()
		}
		x.writeBody(e.Status, e, nil)
		return
	}
	x.writeBody(plain.status, plain, nil)
}

// writeOptions answers OPTIONS: the methods that a path has.
func (x *exchange) writeOptions(allow []string) {
	res := &x.c.Context().Response
	res.Header.Set("Allow", strings.Join(allow, ","))
	res.Header.SetContentType(textPlain)
}

func errorID() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// serverError answers to what never became a request: headers too large, a body cut
// off, bytes that are no HTTP.
func (t *Transport) serverError(c *fiber.Ctx, err error) error {
	e := eserr.IllegalArgument("%s", err.Error())
	var f *fiber.Error
	if errors.As(err, &f) {
		switch f.Code {
		case fiber.StatusRequestHeaderFieldsTooLarge:
			e = eserr.HeaderTooLarge(readBuffer)
		case fiber.StatusRequestEntityTooLarge:
			e = eserr.BodyTooLarge(t.cfg.MaxBody)
		case fiber.StatusRequestTimeout:
			e = eserr.Timeout("the request did not arrive in time")
		}
	}
	res := &c.Context().Response
	res.Header.Set("X-elastic-product", "Elasticsearch")
	res.Header.SetContentType("application/json")
	res.SetStatusCode(e.Status)
	res.SetBody(e.AppendJSON(nil))
	return nil
}

// unknownMethod answers to methods that HTTP does not know.
func (t *Transport) unknownMethod(c *fasthttp.RequestCtx) {
	c.Response.Header.Set("X-elastic-product", "Elasticsearch")
	c.Response.Header.SetContentType("application/json")
	c.Response.SetStatusCode(fiber.StatusMethodNotAllowed)
	c.Response.SetBody(eserr.Plain(nil, "Unexpected http method: "+string(c.Method()), fiber.StatusMethodNotAllowed))
	if c.Request.IsBodyStream() {
		c.Response.SetConnectionClose()
	}
}
