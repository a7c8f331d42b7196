package main

import (
	"net"
	"net/http"
	"strings"
)

// serveNull answers every request with a fixed 4 kB body: the floor of an HTTP answer
// with this load generator on this machine, to be read beside the engines' figures.
func serveNull() (*engine, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	body := []byte(`{"null":"` + strings.Repeat("x", 4096) + `"}`)
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(body)
		}))
	}()
	return newEngine("null", "http://"+l.Addr().String()), nil
}
