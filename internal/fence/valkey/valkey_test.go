package valkey

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"postern/conformance/engines/valkeytest"
	"postern/internal/fence"
	"postern/internal/fence/fencetest"
)

// durable stands for the counter in the store, which no restart of Valkey takes back.
type durable struct {
	mu          sync.Mutex
	incarnation uint64
	owners      []string
}

func (d *durable) Advance(_ context.Context, least uint64) (uint64, []string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.incarnation = max(d.incarnation, least) + 1
	return d.incarnation, d.owners, nil
}

func open(t *testing.T, s *valkeytest.Server, c Config) *Fence {
	t.Helper()
	c.Address = s.Addr
	if c.Incarnations == nil {
		c.Incarnations = &durable{}
	}
	if c.Owner == "" {
		c.Owner = "o"
	}
	f, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func TestSuite(t *testing.T) {
	s := valkeytest.Start(t)
	n := 0
	fencetest.Run(t, func(t *testing.T) fence.Fence {
		n++
		return open(t, s, Config{Prefix: fmt.Sprintf("%d:", n), LogLines: 32})
	})
}

func TestWrongSettingsAreNamed(t *testing.T) {
	s := valkeytest.Start(t)
	for setting, value := range map[string]string{"appendfsync": "everysec", "maxmemory-policy": "allkeys-lru", "maxmemory": "0", "appendonly": "no"} {
		was := ""
		for _, good := range settings() {
			if good.name == setting {
				was = good.want
			}
		}
		if setting == "maxmemory" {
			was = "64mb"
		}
		s.Do(t, "CONFIG", "SET", setting, value)
		_, err := Open(t.Context(), Config{Address: s.Addr, Owner: "o", Incarnations: &durable{}})
		if err == nil || !strings.Contains(err.Error(), setting) {
			t.Errorf("%s %s: %v", setting, value, err)
		}
		s.Do(t, "CONFIG", "SET", setting, was)
	}
	open(t, s, Config{})
}

func TestTheLibraryIsLoadedAgain(t *testing.T) {
	s := valkeytest.Start(t)
	f := open(t, s, Config{})
	s.Do(t, "FUNCTION", "FLUSH", "SYNC")
	if _, err := f.Lookup(t.Context(), "", []string{"i"}); err != nil {
		t.Error(err)
	}
}

// One round trip a step, however many indices.
func TestRoundTrips(t *testing.T) {
	s := valkeytest.Start(t)
	f := open(t, s, Config{})
	before := f.Calls()
	found, err := f.Lookup(t.Context(), "k", []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Publish(t.Context(), "k", found, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if n := f.Calls() - before; n > 3 { // a heartbeat may be among them
		t.Errorf("lookup and publish took %d round trips", n)
	}
}

// Full of answers, Valkey drops answers and takes tokens; with nothing left to drop it
// refuses to begin, but can always complete.
func TestFull(t *testing.T) {
	s := valkeytest.Start(t)
	f := open(t, s, Config{})
	s.Do(t, "CONFIG", "SET", "maxmemory", "8mb")
	found, err := f.Lookup(t.Context(), "", []string{"i"})
	if err != nil {
		t.Fatal(err)
	}
	answer := []byte(strings.Repeat("answer ", 10000))
	for i := range 300 {
		if kept, err := f.Publish(t.Context(), fmt.Sprint(i), found, answer); err != nil || !kept {
			t.Fatal(i, kept, err)
		}
	}
	token, err := f.Begin(t.Context(), fence.Intent{Index: "i", IDs: []string{"1"}})
	if err != nil {
		t.Fatalf("full of answers: %v", err)
	}
	client := s.Client(t)
	for size, i := 100<<10, 0; size > 0; i++ {
		set := client.B().Set().Key(fmt.Sprint("somebody else's ", i)).Value(strings.Repeat("x", size)).Build()
		if client.Do(t.Context(), set).Error() != nil {
			size /= 8
		}
	}
	if _, err := f.Begin(t.Context(), fence.Intent{Index: "i", IDs: []string{"2"}}); !errors.Is(err, fence.ErrFull) {
		t.Errorf("full: %v", err)
	}
	f.Complete(token)
	eventually(t, "completed while full", func() bool {
		found, err := f.Lookup(t.Context(), "", []string{"i"})
		return err == nil && found.Quiet
	})
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what + ": not so")
		}
	}
}

// While Valkey is away everything is refused; within a second of its return all is as it
// was, tokens included, under a new incarnation.
func TestAwayAndBack(t *testing.T) {
	s := valkeytest.Start(t)
	f := open(t, s, Config{})
	token, err := f.Begin(t.Context(), fence.Intent{Index: "i", IDs: []string{"1"}})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := f.Lookup(t.Context(), "", []string{"i"})
	s.Kill(t)
	if _, err := f.Lookup(t.Context(), "", []string{"i"}); !errors.Is(err, fence.ErrUnavailable) {
		t.Errorf("away: %v", err)
	}
	if _, err := f.Begin(t.Context(), fence.Intent{Index: "i", IDs: []string{"2"}}); !errors.Is(err, fence.ErrUnavailable) {
		t.Errorf("away: %v", err)
	}
	s.Restart(t)
	back := time.Now()
	var after fence.Found
	eventually(t, "back", func() bool { after, err = f.Lookup(t.Context(), "", []string{"i"}); return err == nil })
	if took := time.Since(back); took > time.Second {
		t.Errorf("back after %v", took)
	}
	if after.Vector.Incarnation <= before.Vector.Incarnation || after.Vector.Indices[0] != before.Vector.Indices[0] || len(after.Positions[0].Open) != 1 {
		t.Errorf("%+v became %+v", before, after)
	}
	f.Complete(token)
	eventually(t, "the token is closed", func() bool {
		found, err := f.Lookup(t.Context(), "", []string{"i"})
		return err == nil && found.Quiet
	})
}

// Valkey comes back with an older file, which has neither the token of a write that is
// still on its way nor what was published since.
func TestRollback(t *testing.T) {
	s := valkeytest.Start(t)
	counter := &durable{owners: []string{"a", "b"}}
	a, b := open(t, s, Config{Owner: "a", Incarnations: counter}), open(t, s, Config{Owner: "b", Incarnations: counter})
	eventually(t, "quiet at first", func() bool {
		found, err := b.Lookup(t.Context(), "", []string{"i"})
		return err == nil && found.Quiet
	})
	old, err := a.Lookup(t.Context(), "q", []string{"i"})
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := a.Publish(t.Context(), "q", old, []byte("old")); !kept {
		t.Fatal(err)
	}
	rollback := s.Copy(t)
	token, err := a.Begin(t.Context(), fence.Intent{Index: "i", IDs: []string{"1"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Kill(t)
	rollback()
	s.Restart(t)
	// b sees it first; a, whose write is on its way, has not said a word.
	found := fence.Found{}
	eventually(t, "back", func() bool { found, err = b.Lookup(t.Context(), "q", []string{"i"}); return err == nil })
	if found.Entry != nil || found.Vector.Incarnation <= old.Vector.Incarnation {
		t.Errorf("served %q under %+v", found.Entry, found.Vector)
	}
	eventually(t, "a has announced its token", func() bool {
		found, err := b.Lookup(t.Context(), "q", []string{"i"})
		return err == nil && len(found.Positions[0].Open) == 1
	})
	a.Complete(token)
	eventually(t, "quiet again", func() bool { found, err = b.Lookup(t.Context(), "q", []string{"i"}); return err == nil && found.Quiet })
	if found.Entry != nil || found.Vector.Indices[0].Data == old.Vector.Indices[0].Data {
		t.Errorf("the write that was lost from the file left no trace: %+v", found)
	}
}

// What is given up before it begins leaves no token, even when its begin arrives later.
func TestATokenWhoseBeginWasGivenUpIsClosed(t *testing.T) {
	s := valkeytest.Start(t)
	f := open(t, s, Config{Timeout: 200 * time.Millisecond})
	s.Do(t, "CLIENT", "PAUSE", "600", "WRITE")
	if _, err := f.Begin(t.Context(), fence.Intent{Index: "i", IDs: []string{"1"}}); !errors.Is(err, fence.ErrUnavailable) {
		t.Fatalf("%v", err)
	}
	time.Sleep(700 * time.Millisecond)
	eventually(t, "no token stays", func() bool {
		f.sweep(t.Context())
		tokens, err := f.Tokens(t.Context())
		return err == nil && len(tokens) == 0
	})
}

func TestStatusAndRelease(t *testing.T) {
	s := valkeytest.Start(t)
	f := open(t, s, Config{Owner: "dead"})
	if _, err := f.Begin(t.Context(), fence.Intent{Index: "i", IDs: []string{"b", "a"}, Operation: "bulk"}); err != nil {
		t.Fatal(err)
	}
	other := open(t, s, Config{Owner: "live"})
	tokens, err := other.Tokens(t.Context())
	if err != nil || len(tokens) != 1 {
		t.Fatal(tokens, err)
	}
	got := tokens[0]
	if got.Owner != "dead" || got.Index != "i" || got.Operation != "bulk" || got.Scope != "documents" || strings.Join(got.IDs, "") != "ab" || got.Unbounded || got.Silent < 0 {
		t.Errorf("%+v", got)
	}
	if err := other.Release(t.Context(), got.ID); err != nil {
		t.Fatal(err)
	}
	if found, err := other.Lookup(t.Context(), "", []string{"i"}); err != nil || !found.Quiet {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestClear(t *testing.T) {
	s := valkeytest.Start(t)
	f := open(t, s, Config{})
	found, _ := f.Lookup(t.Context(), "", []string{"i"})
	for i := range 2500 {
		if _, err := f.Publish(t.Context(), fmt.Sprint(i), found, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := f.Clear(t.Context()); n != 2500 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
