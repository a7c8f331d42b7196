package transport

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"postern/internal/eserr"
)

// readBody gives the request's body, inflated, in memory of its own. What it takes is
// reserved at the breaker first; the caller releases the held bytes after the answer.
func (t *Transport) readBody(c *fiber.Ctx, stream *bodyStream) (body []byte, held int64, err error) {
	req := &c.Context().Request
	length := int64(req.Header.ContentLength())
	if length > t.cfg.MaxBody {
		return nil, 0, eserr.BodyTooLarge(t.cfg.MaxBody)
	}
	if stream == nil {
		small := req.Body()
		if len(small) == 0 {
			return nil, 0, nil
		}
		length = int64(len(small))
		if err := t.breaker.reserve(length); err != nil {
			return nil, 0, err
		}
		if encoding(c) != "" {
			return t.inflate(bytes.NewReader(small), encoding(c), length)
		}
		return bytes.Clone(small), length, nil
	}
	// A longer body: the server has handed over before reading it all.
	if length > 0 {
		if err := t.breaker.reserve(length); err != nil {
			return nil, 0, err
		}
	} else {
		length = 0
	}
	if encoding(c) != "" {
		return t.inflate(stream, encoding(c), length)
	}
	return t.collect(stream, length, length)
}

// bodyStream is a body that the server has not read to its end. It remembers the end:
// behind it the server's own stream would wait for the connection.
type bodyStream struct {
	r      io.Reader
	ended  bool
	first  [1]byte // read to see whether there is anything
	peeked bool
}

// newBodyStream gives nil for a request without a body, or with an empty one.
func newBodyStream(req *fasthttp.Request) *bodyStream {
	stream, length := req.BodyStream(), req.Header.ContentLength()
	if stream == nil || length == 0 {
		return nil
	}
	s := &bodyStream{r: stream}
	if length < 0 { // chunked: whether there is a body shows when it is read
		n, err := io.ReadFull(stream, s.first[:])
		s.peeked = n == 1
		if n == 0 && err == io.EOF {
			return nil
		}
	}
	return s
}

func (s *bodyStream) Read(p []byte) (int, error) {
	if s.peeked && len(p) > 0 {
		s.peeked = false
		p[0] = s.first[0]
		return 1, nil
	}
	if s.ended {
		return 0, io.EOF
	}
	n, err := s.r.Read(p)
	s.ended = err == io.EOF
	return n, err
}

// encoding is the body's compression, "" when there is none that we know: Elasticsearch
// reads others as if they were none.
func encoding(c *fiber.Ctx) string {
	switch e := string(c.Context().Request.Header.ContentEncoding()); e {
	case "gzip", "x-gzip", "deflate", "x-deflate":
		return e
	}
	return ""
}

func (t *Transport) inflate(r io.Reader, encoding string, held int64) ([]byte, int64, error) {
	var in io.Reader
	switch encoding {
	case "gzip", "x-gzip":
		z, _ := t.gzips.Get().(*gzip.Reader)
		var err error
		if z == nil {
			z, err = gzip.NewReader(r)
		} else {
			err = z.Reset(r)
		}
		if err != nil {
			return nil, held, badEncoding(encoding, err)
		}
		defer t.gzips.Put(z)
		in = z
	default:
		z, err := zlib.NewReader(r)
		if err != nil {
			return nil, held, badEncoding(encoding, err)
		}
		in = z
	}
	body, held, err := t.collect(in, 0, held)
	if err != nil {
		if _, ok := eserr.As(err); !ok {
			err = badEncoding(encoding, err)
		}
	}
	return body, held, err
}

func badEncoding(encoding string, err error) error {
	return eserr.IllegalArgument("the body is not what its header Content-Encoding [%s] says: %s", encoding, err)
}

// collect reads all of r, up to the limit. Of a stated size nothing more is allocated;
// else what the buffer grows by is reserved.
func (t *Transport) collect(r io.Reader, size, held int64) ([]byte, int64, error) {
	if size > 0 {
		buf := make([]byte, size)
		if _, err := io.ReadFull(r, buf); err != nil {
			return nil, held, eserr.IllegalArgument("the body ends before its stated length of %d bytes", size)
		}
		return buf, held, nil
	}
	buf := make([]byte, 0, firstBuffer)
	for {
		if len(buf) == cap(buf) {
			grow := int64(cap(buf))
			if err := t.breaker.reserve(grow); err != nil {
				return nil, held, err
			}
			held += grow
			buf = append(make([]byte, 0, 2*cap(buf)), buf...)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case int64(len(buf)) > t.cfg.MaxBody:
			return nil, held, eserr.BodyTooLarge(t.cfg.MaxBody)
		case err == io.EOF:
			return buf, held, nil
		case err != nil:
			return nil, held, err
		}
	}
}

// firstBuffer is where reading of a body of unknown length begins.
const firstBuffer = 16 << 10
