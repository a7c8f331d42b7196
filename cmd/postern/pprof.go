package main

import (
	"fmt"
	"net/http"
	"net/http/pprof"
)

// servePprof serves Go's profiles of this process; close ends it. Profiles show queries and
// documents in memory, so that they are never served beyond this machine.
func servePprof(address string) (close func() error, err error) {
	ln, err := listen(address, false)
	if err != nil {
		return nil, fmt.Errorf("--pprof: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(ln) }()
	return server.Close, nil
}
