package mutate

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"time"

	"postern/internal/fence"
	"postern/internal/metadata"
	"postern/internal/store"
)

// Config is what a Mutator works on.
type Config struct {
	Catalog   store.Catalog
	Documents store.Documents
	Fence     fence.Fence
	// CheckFilter reads an alias's filter as a query; nil for no check.
	CheckFilter metadata.FilterCheck
	// Now and NewUUID are replaced in tests; nil stands for the clock and for random ones.
	Now     func() time.Time
	NewUUID func() string
}

// Mutator changes documents and metadata. It is safe for concurrent use.
type Mutator struct {
	Config
	ids idSource
}

// New makes a Mutator.
func New(c Config) *Mutator {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NewUUID == nil {
		c.NewUUID = newUUID
	}
	return &Mutator{Config: c}
}

// newUUID is 16 random bytes as Elasticsearch writes uuids.
func newUUID() string {
	var b [16]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// fenced runs a change between begin and complete. A change that may still take effect
// after the store has given up on it keeps its token open until it has been settled: nobody
// may be served what it touches before its outcome is known.
func (m *Mutator) fenced(ctx context.Context, in fence.Intent, change func() error) error {
	token, err := m.Fence.Begin(ctx, in)
	if err != nil {
		return fence.ClientError(err)
	}
	err = change()
	if errors.Is(err, store.ErrUnknown) {
		m.settle(in, token)
		return err
	}
	m.Fence.Complete(token)
	return err
}
