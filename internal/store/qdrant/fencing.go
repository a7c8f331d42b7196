package qdrant

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/eserr"
	"postern/internal/metadata"
	"postern/internal/store"
)

// The members of the directory that speak of the fence.
const (
	keyFenced      = "fenced"
	keyIncarnation = "incarnation"
	keyOwners      = "owners"
)

// fencing is what the directory says of the fence. It stands in the directory itself, so
// that every gateway that reads names and mappings learns of it with them.
type fencing struct {
	on          bool
	incarnation uint64
	owners      []string // gateways that may hold open tokens
}

func readFencing(payload map[string]*pb.Value) fencing {
	return fencing{on: payload[keyFenced].GetBoolValue(), incarnation: uint64(payload[keyIncarnation].GetIntegerValue()), owners: texts(payload[keyOwners])}
}

func (f fencing) put(payload map[string]*pb.Value) {
	payload[keyFenced], payload[keyIncarnation], payload[keyOwners] = boolValue(f.on), intValue(int64(f.incarnation)), textList(f.owners)
}

// allowed tells whether a gateway may work under what the directory says: one without the
// fence would write around those with it, and the other way round.
func (s *Store) allowed(c *catalog) error {
	switch {
	case s.opts.AnyFencing || s.opts.Fenced == c.fencing.on:
		return nil
	case c.fencing.on:
		return errors.Join(store.ErrFenced, eserr.Unavailable("the gateways of this Qdrant share a fence in Valkey, and this one has none: start it with --valkey"))
	}
	return errors.Join(store.ErrNotFenced, eserr.Unavailable("the gateways of this Qdrant have no fence: stop them and say `postern fence attach`, or start this one without --valkey"))
}

// Advance raises the incarnation; see valkey.Incarnations. It gives the gateways that may
// hold open tokens.
func (s *Store) Advance(ctx context.Context, least uint64) (uint64, []string, error) {
	f, err := s.changeFencing(ctx, func(f *fencing) (bool, error) {
		f.incarnation = max(f.incarnation, least) + 1
		return true, nil
	})
	return f.incarnation, f.owners, err
}

// Enroll names a gateway that is about to open tokens, and Leave one that has none open any
// more and opens none.
func (s *Store) Enroll(ctx context.Context, owner string) error {
	_, err := s.changeFencing(ctx, func(f *fencing) (bool, error) {
		if slices.Contains(f.owners, owner) {
			return false, nil
		}
		f.owners = append(slices.Clone(f.owners), owner)
		return true, nil
	})
	return err
}

// Leave takes the name of a gateway back; see Enroll.
func (s *Store) Leave(ctx context.Context, owner string) error {
	_, err := s.changeFencing(ctx, func(f *fencing) (bool, error) {
		i := slices.Index(f.owners, owner)
		if i < 0 {
			return false, nil
		}
		f.owners = slices.Delete(slices.Clone(f.owners), i, i+1)
		return true, nil
	})
	return err
}

// Fencing is what the directory says of the fence: whether gateways have one, its incarnation,
// and the gateways that may hold open tokens.
func (s *Store) Fencing(ctx context.Context) (fenced bool, incarnation uint64, owners []string, err error) {
	c, err := s.loadAny(ctx)
	if err != nil {
		return false, 0, nil, err
	}
	return c.fencing.on, c.fencing.incarnation, c.fencing.owners, nil
}

// SetFenced writes down that all gateways have a fence from now on, or that none has. Those
// of the other kind refuse to work from their next request on. The incarnation advances, so
// that nothing which the fence remembers from before counts.
func (s *Store) SetFenced(ctx context.Context, on bool) error {
	_, err := s.changeFencing(ctx, func(f *fencing) (bool, error) {
		if f.on == on {
			return false, nil
		}
		f.on = on
		f.incarnation++
		return true, nil
	})
	return err
}

// changeFencing changes the directory in nothing but what it says of the fence. change may
// be called again; false leaves everything as it is.
func (s *Store) changeFencing(ctx context.Context, change func(*fencing) (bool, error)) (fencing, error) {
	leave, err := s.enter()
	if err != nil {
		return fencing{}, err
	}
	defer leave()
	s.updating.Lock()
	defer s.updating.Unlock()
	for {
		before, err := s.loadAny(ctx)
		if err != nil {
			return fencing{}, err
		}
		f := before.fencing
		if changed, err := change(&f); err != nil || !changed {
			return f, err
		}
		chain, err := s.swap(ctx, directoryID(), before.chain, directoryPayload(before.state, before.refs, f))
		if err == nil {
			after := *before
			after.chain, after.fencing = chain, f
			s.catalog.CompareAndSwap(before, &after)
			return f, nil
		}
		if !errors.Is(err, errLost) {
			return fencing{}, catalogError(err)
		}
		if !sleep(ctx, rand.N(10*time.Millisecond)) {
			return fencing{}, ctx.Err()
		}
	}
}

// newDirectory is the directory of a new cluster.
func (s *Store) newDirectory(state *metadata.State) map[string]*pb.Value {
	return directoryPayload(state, nil, fencing{on: s.opts.Fenced})
}
