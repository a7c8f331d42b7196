package main

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// listen opens the address. Beyond loopback everybody on the network could read and
// delete everything, so that must be said.
func listen(address string, insecure bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, usageError(fmt.Sprintf("--listen %s: want HOST:PORT, such as 127.0.0.1:9200", address))
	}
	if !insecure && !loopback(host) {
		return nil, usageError(fmt.Sprintf("--listen %s is reachable from other machines, and there are no credentials yet: say --insecure if the network is private, or listen on 127.0.0.1", address))
	}
	ln, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("address %s is in use by another process", address)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("no permission to listen on %s", address)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s: %w", address, err)
	}
	return ln, nil
}

// loopback says whether a host is this machine and nothing else. Names are looked up.
func loopback(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	if host == "" {
		return false
	}
	ips, err := net.LookupIP(host)
	if err != nil || len(ips) == 0 {
		return false
	}
	for _, ip := range ips {
		if !ip.IsLoopback() {
			return false
		}
	}
	return true
}
