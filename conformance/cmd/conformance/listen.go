package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"postern/conformance/recording"
	"postern/conformance/replay"
	"postern/conformance/suite"
	"postern/conformance/traffic"
)

// quiet is how long no request has come before what was recorded is written to the file.
const quiet = 2 * time.Second

// listen stands between an application and target until ctx ends, and writes what passes to
// a file of its own in dir.
func listen(ctx context.Context, address string, target replay.Target, dir string) error {
	file, err := newFile(dir)
	if err != nil {
		return err
	}
	proxy, err := traffic.New(ctx, target)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("recording %s at http://%s into %s; Ctrl-C ends it\n", target.Name, listener.Addr(), file)
	server := &http.Server{Handler: proxy, ReadHeaderTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() {
		end, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_ = server.Shutdown(end) // what is unfinished after a minute is not recorded
	})
	defer stop()
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	written, seen := 0, 0
	tick := time.NewTicker(quiet)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			n := proxy.Len()
			if n == seen && n != written {
				if err := save(proxy, file); err != nil {
					return err
				}
				written = n
			}
			seen = n
		case err := <-served:
			if !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			fmt.Printf("%d exchanges\n", proxy.Len())
			return save(proxy, file)
		}
	}
}

// newFile returns the name of a recording in dir that is not there yet.
func newFile(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		file := filepath.Join(dir, fmt.Sprintf("application-%d%s", n, suite.Extension))
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
			return file, nil
		} else if err != nil {
			return "", err
		}
	}
}

func save(proxy *traffic.Proxy, file string) error {
	r := proxy.Recording()
	if r == nil {
		return nil
	}
	return os.WriteFile(file, recording.Format(r), 0o600)
}

// trust sets which certificates of an https engine are taken.
func trust(target *replay.Target, authorities string, insecure bool) error {
	if target.TLS == nil {
		if authorities != "" || insecure {
			return fmt.Errorf("%s is no https engine: there is no certificate", target.Name)
		}
		return nil
	}
	target.TLS = target.TLS.Clone()
	target.TLS.MinVersion, target.TLS.InsecureSkipVerify = tls.VersionTLS12, insecure
	if authorities == "" {
		return nil
	}
	text, err := os.ReadFile(authorities)
	if err != nil {
		return err
	}
	target.TLS.RootCAs = x509.NewCertPool()
	if !target.TLS.RootCAs.AppendCertsFromPEM(text) {
		return fmt.Errorf("%s holds no certificate", authorities)
	}
	return nil
}
