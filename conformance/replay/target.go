// Package replay asks an engine what a recording asks, and compares the answers, or
// writes them down.
package replay

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// Target is a running engine.
type Target struct {
	Name    string // as lists of expected differences name it: "postern"
	Address string // host:port
	// SkipHeaders drops the check of X-elastic-product, which OpenSearch does not send.
	SkipHeaders bool
	// SkipOrder drops the check of the order of members, which is Elasticsearch's own.
	SkipOrder bool
	// Load makes sure that a data set is indexed. Nil: scenarios with data are skipped.
	Load func(ctx context.Context, address, dataset string) error
}

// ParseTarget reads NAME=http://HOST:PORT.
func ParseTarget(text string) (Target, error) {
	name, address, ok := strings.Cut(text, "=")
	if !ok {
		return Target{}, fmt.Errorf("%q: an engine is given as NAME=URL", text)
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.Port() == "" {
		return Target{}, fmt.Errorf("%q: the URL of an engine is http://HOST:PORT", text)
	}
	other := name == "opensearch"
	return Target{Name: name, Address: u.Host, SkipHeaders: other, SkipOrder: other}, nil
}

// clean deletes what the recording names, and nothing else.
func (t Target) clean(ctx context.Context, r *recording.Recording) error {
	var targets []string
	for _, index := range r.Indices {
		targets = append(targets, "/"+url.PathEscape(index))
	}
	for _, template := range r.Templates {
		targets = append(targets, "/_index_template/"+url.PathEscape(template))
	}
	for _, target := range targets {
		answer, err := send(ctx, t.Address, recording.Request{Method: "DELETE", Target: target})
		if err != nil {
			return err
		}
		if answer.status != 200 && answer.status != 404 {
			return fmt.Errorf("DELETE %s answers %d: %s", target, answer.status, clip(answer.body))
		}
	}
	return nil
}

// Version asks the engine for its version number.
func (t Target) Version(ctx context.Context) (string, error) {
	answer, err := send(ctx, t.Address, recording.Request{Method: "GET", Target: "/"})
	if err != nil {
		return "", err
	}
	body, err := jsontree.Parse(answer.body)
	if err != nil {
		return "", err
	}
	if v, ok := (jsontree.Path{"version", "number"}).Find(body); ok {
		if number, ok := v.(string); ok {
			return number, nil
		}
	}
	return "", fmt.Errorf("GET / names no version: %s", clip(answer.body))
}
