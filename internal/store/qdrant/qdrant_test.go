package qdrant

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"testing"

	"postern/conformance/engines/qdranttest"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/store/storetest"
)

func TestStore(t *testing.T) {
	server := qdranttest.Start(t)
	storetest.Run(t, func(t *testing.T) storetest.Opener {
		o := place(t, server.Addr)
		return func(t testing.TB) storetest.Store { return open(t, o) }
	})
}

// place gives the options of an empty cluster on an engine.
func place(t testing.TB, address string) Options {
	t.Helper()
	var name [6]byte
	rand.Read(name[:])
	o := Options{
		Address:  address,
		Prefix:   "test-" + hex.EncodeToString(name[:]),
		SpillDir: t.TempDir(),
		Log:      slog.New(slog.NewTextHandler(t.Output(), nil)),
		Parse:    mutate.ParseStored,
		NewState: func() *metadata.State { return metadata.NewState("cluster") },
	}
	t.Cleanup(func() { o.wipe(t) })
	return o
}

// wipe removes all collections of a place.
func (o Options) wipe(t testing.TB) {
	o.AnyFencing = true
	s := open(t, o)
	defer s.Close()
	state, err := s.Load(context.Background())
	if err != nil {
		t.Error(err)
		return
	}
	for _, ix := range state.Indices() {
		if err := s.DropIndex(context.Background(), ix.UUID); err != nil {
			t.Error(err)
		}
	}
	if err := s.dropCollection(context.Background(), s.catalogName()); err != nil {
		t.Error(err)
	}
}

func open(t testing.TB, o Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
