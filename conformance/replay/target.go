// Package replay asks an engine what a recording asks, and compares the answers, or
// writes them down.
package replay

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// Target is a running engine.
type Target struct {
	Name    string // as lists of expected differences name it: "postern"
	Address string // host:port
	// TLS is how https is spoken; nil: http.
	TLS *tls.Config
	// Authorization is the header that goes with each request that has none.
	Authorization string
	// SkipHeaders drops the check of X-elastic-product, which OpenSearch does not send, and
	// of the charset, which it adds to every Content-Type.
	SkipHeaders bool
	// SkipOrder drops the check of the order of members, which is Elasticsearch's own.
	SkipOrder bool
	// Disposable says that the engine holds nothing that is worth keeping: requests that
	// delete by patterns are sent even if it would obey.
	Disposable bool
	// Load makes sure that a data set is indexed. Nil: scenarios with data are skipped.
	Load func(ctx context.Context, address, dataset string) error
}

// ParseTarget reads NAME=http://HOST:PORT, or https, or with USER:PASSWORD@ before the host.
func ParseTarget(text string) (Target, error) {
	name, address, ok := strings.Cut(text, "=")
	if !ok {
		return Target{}, fmt.Errorf("%q: an engine is given as NAME=URL", text)
	}
	u, err := url.Parse(address)
	if err != nil || u.Port() == "" {
		return Target{}, fmt.Errorf("%s: the URL of an engine is http://HOST:PORT", name)
	}
	other := name == "opensearch"
	t := Target{Name: name, Address: u.Host, SkipHeaders: other, SkipOrder: other}
	switch u.Scheme {
	case "http":
	case "https":
		t.TLS = &tls.Config{ServerName: u.Hostname()}
	default:
		return Target{}, fmt.Errorf("%s: the URL of an engine is http://HOST:PORT or https://HOST:PORT", name)
	}
	if u.User != nil {
		t.Authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(userinfo(u.User)))
	}
	return t, nil
}

func userinfo(u *url.Userinfo) string {
	password, _ := u.Password()
	return u.Username() + ":" + password
}

// clean deletes what the recording names, and nothing else.
func (t Target) clean(ctx context.Context, r *recording.Recording) error {
	for _, kind := range recording.Kinds {
		for _, c := range r.Creates {
			if c.Kind != kind.Name {
				continue
			}
			target := kind.Path + url.PathEscape(c.Name)
			answer, err := t.Send(ctx, recording.Request{Method: "DELETE", Target: target})
			if err != nil {
				return err
			}
			// An engine that does not know the kind has none of it.
			unknown := kind.Name != "index" && slices.Contains([]int{400, 405, 501}, answer.Status)
			if answer.Status != 200 && answer.Status != 404 && !unknown {
				return fmt.Errorf("DELETE %s answers %d: %s", target, answer.Status, clip(answer.Body))
			}
		}
	}
	return nil
}

// Version asks the engine for its version number.
func (t Target) Version(ctx context.Context) (string, error) {
	answer, err := t.Send(ctx, recording.Request{Method: "GET", Target: "/"})
	if err != nil {
		return "", err
	}
	body, err := jsontree.Parse(answer.Body)
	if err != nil {
		return "", err
	}
	if v, ok := (jsontree.Path{"version", "number"}).Find(body); ok {
		if number, ok := v.(string); ok {
			return number, nil
		}
	}
	return "", fmt.Errorf("GET / names no version: %s", clip(answer.Body))
}
