package replay

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"postern/conformance/recording"
)

// exchangeTimeout bounds one request: an engine that hangs fails its exchange, not the run.
const exchangeTimeout = 60 * time.Second

// Response is an answer as it came over the wire, but inflated.
type Response struct {
	Status  int
	Headers http.Header
	Body    []byte
}

// Send writes the request to the byte, which net/http's client would not: it cleans
// paths, escapes targets and drops bodies.
func (t Target) Send(ctx context.Context, q recording.Request) (*Response, error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeTimeout)
	defer cancel()
	conn, err := t.dial(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	deadline, _ := ctx.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	message, err := t.encode(q)
	if err != nil {
		return nil, err
	}
	// An engine may answer, and stop reading, before the whole body is there.
	_, writeErr := conn.Write(message)
	answer, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: q.Method})
	if err != nil {
		if writeErr != nil {
			return nil, writeErr
		}
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.Header.Get("Content-Encoding") == "gzip" {
		if body, err = inflate(body); err != nil {
			return nil, err
		}
	}
	return &Response{Status: answer.StatusCode, Headers: answer.Header, Body: body}, nil
}

func (t Target) dial(ctx context.Context) (net.Conn, error) {
	if t.TLS != nil {
		return (&tls.Dialer{Config: t.TLS}).DialContext(ctx, "tcp", t.Address)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", t.Address)
}

func (t Target) encode(q recording.Request) ([]byte, error) {
	body := q.Body
	set := map[string]bool{}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n", q.Method, q.Target, t.Address)
	for _, h := range q.Headers {
		set[strings.ToLower(h.Name)] = true
		if h.Value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", h.Name, h.Value)
		}
		if strings.EqualFold(h.Name, "Content-Encoding") && h.Value == "gzip" {
			var err error
			if body, err = deflate(body); err != nil {
				return nil, err
			}
		}
	}
	if t.Authorization != "" && !set["authorization"] {
		fmt.Fprintf(&b, "Authorization: %s\r\n", t.Authorization)
	}
	if q.Body != nil {
		if !set["content-type"] {
			fmt.Fprintf(&b, "Content-Type: %s\r\n", recording.DefaultContentType(q.Target))
		}
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes(), nil
}

func deflate(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

func inflate(body []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
