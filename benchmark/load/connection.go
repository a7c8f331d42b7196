// Package load sends the operations of a workload and times them.
package load

import (
	"fmt"
	"net/url"
	"time"

	"github.com/valyala/fasthttp"

	"postern/benchmark/workload"
)

// A Connection is one client: requests go one after the other over a connection that stays.
type Connection struct {
	host     fasthttp.HostClient
	base     string
	request  *fasthttp.Request
	response *fasthttp.Response
}

// Dial makes a client of the engine at an address such as http://127.0.0.1:9200. It connects
// with the first request.
func Dial(address string) (*Connection, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" || u.Host == "" {
		return nil, fmt.Errorf("%q is not http://HOST:PORT", address)
	}
	const patience = 5 * time.Minute // an engine that is far slower than others is to be measured, too
	return &Connection{
		host: fasthttp.HostClient{Addr: u.Host, MaxConns: 1, ReadTimeout: patience, WriteTimeout: patience,
			MaxIdleConnDuration: time.Hour, ReadBufferSize: 64 << 10, RetryIf: func(*fasthttp.Request) bool { return false }},
		base: address, request: fasthttp.AcquireRequest(), response: fasthttp.AcquireResponse(),
	}, nil
}

// Send sends one request and appends the answer's body to dst. An answer above 299 is an
// error.
func (c *Connection) Send(dst []byte, r workload.Request) ([]byte, error) {
	c.request.Reset()
	c.request.SetRequestURI(c.base + r.Path)
	c.request.Header.SetMethod(r.Method)
	if r.Body != nil {
		c.request.Header.SetContentType("application/json")
		c.request.SetBodyRaw(r.Body)
	}
	if err := c.host.Do(c.request, c.response); err != nil {
		return dst, fmt.Errorf("%s %s: %w", r.Method, r.Path, err)
	}
	if code := c.response.StatusCode(); code > 299 {
		return dst, fmt.Errorf("%s %s: %d %.300s", r.Method, r.Path, code, c.response.Body())
	}
	return append(dst, c.response.Body()...), nil
}

// Close gives the connection back.
func (c *Connection) Close() { c.host.CloseIdleConnections() }
