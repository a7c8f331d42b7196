package mutate_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"postern/internal/fence"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/store"
)

// failing is a store whose next write fails.
type failing struct {
	store.Documents
	err error
}

func (s *failing) Write(ctx context.Context, ix *metadata.Index, m []store.Mutation, r store.Refresh) ([]store.Result, error) {
	if err := s.err; err != nil {
		s.err = nil
		return nil, err
	}
	return s.Documents.Write(ctx, ix, m, r)
}

func (f *fixture) quiet(uuid string) (bool, fence.Vector) {
	f.t.Helper()
	found, err := f.Fence.Lookup(f.t.Context(), "", []string{uuid})
	if err != nil {
		f.t.Fatal(err)
	}
	return found.Quiet, found.Vector
}

func TestEveryChangeGoesThroughTheFence(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{}`)
	uuid := f.state().Index("i").UUID
	_, before := f.quiet(uuid)
	moved := func(what string) {
		t.Helper()
		quiet, now := f.quiet(uuid)
		if !quiet {
			t.Errorf("%s leaves a token open", what)
		}
		if now.Equal(before) {
			t.Errorf("%s does not move the vector", what)
		}
		before = now
	}
	f.apply(index("1", `{"n":1}`))
	moved("a document")
	f.apply(update("1", `{"doc":{"n":2}}`))
	moved("an update")
	f.apply(remove("1"))
	moved("a deletion")
	if err := f.Refresh(t.Context(), f.state().Index("i")); err != nil {
		t.Fatal(err)
	}
	moved("a refresh")
	if err := f.PutSettings(t.Context(), []*metadata.Index{f.state().Index("i")}, metadata.SettingsChange{Settings: metadata.NewSettings("index.max_result_window", "9")}); err != nil {
		t.Fatal(err)
	}
	moved("a setting")
	if _, err := f.UpdateAliases(t.Context(), []metadata.AliasAction{{Kind: metadata.AddAlias, Indices: []string{"i"}, Aliases: []string{"a"}}}); err != nil {
		t.Fatal(err)
	}
	moved("an alias")
	f.create("j", `{}`)
	moved("an index")
	if err := f.DeleteIndices(t.Context(), []*metadata.Index{f.state().Index("j")}); err != nil {
		t.Fatal(err)
	}
	moved("a deleted index")
}

func TestTokensOfUnknownOutcomesStayOpen(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{}`)
	ix := f.state().Index("i")
	s := &failing{Documents: f.Documents}
	f.Documents = s
	for _, c := range []struct {
		err  error
		open bool
	}{{errors.New("disk full"), false}, {store.ErrRefused, false}, {context.DeadlineExceeded, false}, {store.ErrUnknown, true}} {
		s.err = c.err
		if _, err := f.Apply(t.Context(), ops("1"), store.RefreshNone); err == nil {
			t.Errorf("%v: the write succeeded", c.err)
		}
		if quiet, _ := f.quiet(ix.UUID); quiet == c.open {
			t.Errorf("%v: quiet is %v", c.err, quiet)
		}
	}
	// The id is claimed until somebody finds out what became of it; others are free.
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := f.Apply(short, ops("1"), store.RefreshNone); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a claimed id is written: %v", err)
	}
	if _, err := f.Apply(t.Context(), ops("2"), store.RefreshNone); err != nil {
		t.Error(err)
	}
}

// settling is a failing store that can say afterwards that a write will not happen.
type settling struct {
	failing
	poisoned chan []string
}

func (s *settling) Poison(_ context.Context, _ string, ids []string) error {
	s.poisoned <- ids
	return nil
}

func (s *settling) PoisonCatalog(context.Context) error { return nil }

// A write of unknown outcome is told to its client, and its documents are free again once it
// can't happen any more.
func TestAnUnknownOutcomeIsSettled(t *testing.T) {
	f := newFixture(t)
	f.create("i", `{}`)
	uuid := f.state().Index("i").UUID
	s := &settling{failing{f.Documents, store.ErrUnknown}, make(chan []string, 1)}
	f.Documents = s
	if _, err := f.Apply(t.Context(), []mutate.Op{index("1", `{"n":1}`)}, store.RefreshNone); !errors.Is(err, store.ErrUnknown) {
		t.Fatalf("the write: %v", err)
	}
	if ids := <-s.poisoned; len(ids) != 1 || ids[0] != "1" {
		t.Errorf("settled were %v", ids)
	}
	f.apply(index("1", `{"n":2}`)) // waits for the token
	if quiet, _ := f.quiet(uuid); !quiet {
		t.Error("the token is still open")
	}
}
