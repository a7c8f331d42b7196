package handlers

import (
	"context"
	"time"

	"postern/internal/eserr"
	"postern/internal/readers"
	"postern/internal/rest"
)

// use gives the reader of an id. One that another gateway has opened is that one's to
// answer for.
func (s *Searches) use(ctx context.Context, kind readers.Kind, id string, keep *time.Duration) (readers.Reader, func(), error) {
	reader, done, err := s.Contexts.Use(kind, id, keep)
	if err == nil {
		return reader, done, nil
	}
	if other := s.elsewhere(ctx, kind, id); other != nil {
		err = other
	}
	return nil, nil, err
}

// elsewhere is the error of a request about ids that another gateway has opened and is
// there to answer for; nil if it is to be answered here. Those of several gateways can't be
// answered by one.
func (s *Searches) elsewhere(ctx context.Context, kind readers.Kind, ids ...string) error {
	if s.Gateways == nil || rest.PassedOn(ctx) {
		return nil
	}
	gateway := ""
	for i, id := range ids {
		g, err := s.Contexts.Gateway(kind, id)
		if err != nil {
			return err
		}
		if i > 0 && g != gateway {
			return eserr.IllegalArgument("the ids are of several gateways, which one request can't reach; send one for each id")
		}
		gateway = g
	}
	if gateway == s.Contexts.Self() {
		return nil
	}
	url, err := s.Gateways.Reach(ctx, gateway)
	if err != nil || url == "" {
		return err
	}
	_, _, missing := s.Contexts.Use(kind, ids[0], nil)
	return &rest.Elsewhere{URL: url, Missing: missing}
}
