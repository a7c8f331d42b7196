package memory

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/internal/fence"
)

func begin(t *testing.T, f *Fence, in fence.Intent) fence.Token {
	t.Helper()
	token, err := f.Begin(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func complete(t *testing.T, f *Fence, token fence.Token) {
	t.Helper()
	if err := f.Complete(t.Context(), token); err != nil {
		t.Fatal(err)
	}
}

func lookup(t *testing.T, f *Fence, key string, indices ...string) fence.Found {
	t.Helper()
	found, err := f.Lookup(t.Context(), key, indices)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAnEntryIsServedOnlyUnderItsVectorAndInQuiet(t *testing.T) {
	f := New(8, 64)
	before := lookup(t, f, "q", "a", "b")
	if ok, _ := f.Publish(t.Context(), "q", before.Vector, []byte("answer")); !ok {
		t.Fatal("a quiet, current publish is refused")
	}
	if got := lookup(t, f, "q", "a", "b").Entry; string(got) != "answer" {
		t.Fatalf("entry %q", got)
	}
	for _, in := range []fence.Intent{
		{Scope: fence.Documents, Index: "b", IDs: []string{"1"}},
		{Scope: fence.Metadata, Index: "a"},
		{Scope: fence.Directory},
	} {
		was := lookup(t, f, "q", "a", "b").Vector
		if ok, _ := f.Publish(t.Context(), "q", was, []byte("again")); !ok {
			t.Fatal("publish refused in quiet")
		}
		token := begin(t, f, in)
		if found := lookup(t, f, "q", "a", "b"); found.Entry != nil || found.Quiet {
			t.Errorf("%v: served or quiet while a token is open", in.Scope)
		}
		if ok, _ := f.Publish(t.Context(), "q", lookup(t, f, "", "a", "b").Vector, nil); ok {
			t.Errorf("%v: published while a token is open", in.Scope)
		}
		complete(t, f, token)
		if found := lookup(t, f, "q", "a", "b"); found.Entry != nil || !found.Quiet || found.Vector.Equal(was) {
			t.Errorf("%v: after completion entry %q quiet %v", in.Scope, found.Entry, found.Quiet)
		}
		if ok, _ := f.Publish(t.Context(), "q", was, nil); ok {
			t.Errorf("%v: an overtaken answer was published", in.Scope)
		}
	}
}

func TestAnOpenClaimMakesTheNextWriterOfTheIDWait(t *testing.T) {
	f := New(8, 64)
	first := begin(t, f, fence.Intent{Index: "i", IDs: []string{"1", "2"}})
	other := begin(t, f, fence.Intent{Index: "i", IDs: []string{"3"}})
	complete(t, f, other)

	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := f.Begin(short, fence.Intent{Index: "i", IDs: []string{"2"}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a claimed id: %v", err)
	}
	done := make(chan fence.Token)
	go func() {
		token, _ := f.Begin(context.Background(), fence.Intent{Index: "i", IDs: []string{"2"}})
		done <- token
	}()
	complete(t, f, first)
	complete(t, f, <-done)
	if err := f.Complete(t.Context(), first); !errors.Is(err, fence.ErrUnknownToken) {
		t.Errorf("completing twice: %v", err)
	}
	if p := lookup(t, f, "", "i").Positions[0]; len(p.Open) != 0 {
		t.Errorf("claims stay: %v", p.Open)
	}
}

func TestBeginRefusesAMovedCatalogue(t *testing.T) {
	f := New(8, 64)
	planned := lookup(t, f, "", "i").Vector
	complete(t, f, begin(t, f, fence.Intent{Index: "i", IDs: []string{"1"}, Planned: planned}))
	complete(t, f, begin(t, f, fence.Intent{Scope: fence.Metadata, Index: "i"}))
	if _, err := f.Begin(t.Context(), fence.Intent{Index: "i", IDs: []string{"1"}, Planned: planned}); !errors.Is(err, fence.ErrMoved) {
		t.Errorf("after a mapping change: %v", err)
	}
}

func TestSinceNamesEveryWriteOrSaysThatItCannot(t *testing.T) {
	f := New(8, 16)
	for i := range 10 {
		complete(t, f, begin(t, f, fence.Intent{Index: "i", IDs: []string{fmt.Sprint(i)}, Uncovered: []string{"f"}}))
	}
	ids, ok, _ := f.Since(t.Context(), "i", 7)
	if diff := cmp.Diff([]string{"7", "8", "9"}, ids); !ok || diff != "" {
		t.Error(ok, diff)
	}
	for i := range 20 {
		complete(t, f, begin(t, f, fence.Intent{Index: "i", IDs: []string{fmt.Sprint(i)}}))
	}
	if _, ok, _ := f.Since(t.Context(), "i", 7); ok {
		t.Error("the bounded log answers for what it has dropped")
	}
	complete(t, f, begin(t, f, fence.Intent{Index: "i"}))
	at := lookup(t, f, "", "i").Positions[0]
	if _, ok, _ := f.Since(t.Context(), "i", at.Sequence-1); ok {
		t.Error("an unbounded write was named")
	}
	if diff := cmp.Diff([]string{"f"}, at.Uncovered); diff != "" {
		t.Error(diff)
	}
}

// A register is written by many and read through the cache by many: no reader may be
// given a value that was overwritten before the reader asked.
func TestNoStaleAnswerUnderConcurrency(t *testing.T) {
	f := New(4, 1024)
	var mu sync.Mutex
	backend, acknowledged := 0, 0
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 300 {
				token, err := f.Begin(context.Background(), fence.Intent{Index: "i", IDs: []string{"x"}})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				backend++
				acknowledged = backend
				mu.Unlock()
				if err := f.Complete(context.Background(), token); err != nil {
					t.Error(err)
				}
			}
		})
	}
	hits := make([]int, 4)
	for r := range hits {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(r)))
			for range 2000 {
				mu.Lock()
				due := acknowledged
				mu.Unlock()
				found, err := f.Lookup(context.Background(), "x", []string{"i"})
				if err != nil {
					t.Error(err)
					return
				}
				if found.Entry != nil {
					hits[r]++
					var got int
					fmt.Sscan(string(found.Entry), &got)
					if got < due {
						t.Errorf("served %d when %d was acknowledged", got, due)
						return
					}
					continue
				}
				mu.Lock()
				value := backend
				mu.Unlock()
				if rng.IntN(4) == 0 {
					time.Sleep(time.Microsecond)
				}
				if _, err := f.Publish(context.Background(), "x", found.Vector, fmt.Append(nil, value)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if hits[0]+hits[1]+hits[2]+hits[3] == 0 {
		t.Error("the cache never served: the test shows nothing")
	}
}
