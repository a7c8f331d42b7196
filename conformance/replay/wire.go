package replay

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
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

// response is an answer as it came over the wire.
type response struct {
	status  int
	headers http.Header
	body    []byte
}

// send writes the request to the byte, which net/http's client would not: it cleans
// paths, escapes targets and drops bodies.
func send(ctx context.Context, address string, q recording.Request) (*response, error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeTimeout)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
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
	message, err := encode(address, q)
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
	return &response{status: answer.StatusCode, headers: answer.Header, body: body}, nil
}

func encode(address string, q recording.Request) ([]byte, error) {
	body := q.Body
	set := map[string]bool{}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n", q.Method, q.Target, address)
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
	if q.Body != nil {
		if !set["content-type"] {
			kind := "application/json"
			if recording.NewlineDelimited(q.Target) {
				kind = "application/x-ndjson"
			}
			fmt.Fprintf(&b, "Content-Type: %s\r\n", kind)
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
