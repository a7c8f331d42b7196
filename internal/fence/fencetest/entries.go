package fencetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"postern/internal/fence"
)

func testEntries(t *testing.T, f fence.Fence) {
	if !publish(t, f, "q", lookup(t, f, "q", "a", "b"), "answer") {
		t.Fatal("a quiet, current publish is refused")
	}
	if got := lookup(t, f, "q", "a", "b").Entry; string(got) != "answer" {
		t.Fatalf("entry %q", got)
	}
	if got := lookup(t, f, "other", "a", "b").Entry; got != nil {
		t.Fatalf("another key's entry %q", got)
	}
	for _, in := range []fence.Intent{
		{Scope: fence.Documents, Index: "b", IDs: []string{"1"}},
		{Scope: fence.Documents, Index: "b"},
		{Scope: fence.Documents, Index: "b", IDs: []string{}},
		{Scope: fence.Metadata, Index: "a"},
		{Scope: fence.Directory},
	} {
		was := quiet(t, f, "a", "b")
		if !publish(t, f, "q", was, "again") {
			t.Fatal("publish refused in quiet")
		}
		token := begin(t, f, in)
		if found := lookup(t, f, "q", "a", "b"); found.Entry != nil || found.Quiet {
			t.Errorf("%+v: served or quiet while a token is open", in)
		}
		amid := lookup(t, f, "", "a", "b")
		if publish(t, f, "q", amid, "early") {
			t.Errorf("%+v: published while a token is open", in)
		}
		f.Complete(token)
		now := quiet(t, f, "a", "b").Vector
		if publish(t, f, "q", amid, "amid") {
			t.Errorf("%+v: what was read amid a write was published after it", in)
		}
		if found := lookup(t, f, "q", "a", "b"); found.Entry != nil || now.Equal(was.Vector) {
			t.Errorf("%+v: after completion entry %q", in, found.Entry)
		}
		if publish(t, f, "q", was, "late") {
			t.Errorf("%+v: an overtaken answer was published", in)
		}
	}
}

func testSeveral(t *testing.T, f fence.Fence) {
	alone, both := lookup(t, f, "", "a"), lookup(t, f, "", "a", "b")
	publish(t, f, "alone", alone, "1")
	publish(t, f, "both", both, "2")
	write(t, f, fence.Intent{Index: "b", IDs: []string{"x"}})
	quiet(t, f, "a", "b")
	if got := lookup(t, f, "alone", "a").Entry; string(got) != "1" {
		t.Errorf("a write to another index took the entry: %q", got)
	}
	if got := lookup(t, f, "both", "a", "b").Entry; got != nil {
		t.Errorf("served %q after a write to its second index", got)
	}
}

func testBytes(t *testing.T, f fence.Fence) {
	odd := []string{"a:b!c", "\xff\x00\n", "長い", "1:2", ""}
	write(t, f, fence.Intent{Index: "i", IDs: odd})
	if ids, ok, err := f.Since(t.Context(), "i", 0); !ok || fmt.Sprintf("%q", ids) != fmt.Sprintf("%q", odd) {
		t.Errorf("%q %v %v", ids, ok, err)
	}
	found := quiet(t, f, "i")
	for _, s := range odd[:4] {
		publish(t, f, s, found, s+"\n,1")
	}
	for _, s := range odd[:4] {
		if got := lookup(t, f, s, "i").Entry; string(got) != s+"\n,1" {
			t.Errorf("%q became %q", s+"\n,1", got)
		}
	}
}

// A register is written by many and read through the cache by many: no reader may be
// given a value that was overwritten before the reader asked.
func testStale(t *testing.T, f fence.Fence) {
	r := &register{fence: f}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { r.write(t, 150) })
	}
	hits := make([]int, 4)
	for n := range hits {
		group.Go(func() { hits[n] = r.read(t, uint64(n), 1500) })
	}
	group.Wait()
	if hits[0]+hits[1]+hits[2]+hits[3] == 0 {
		t.Error("the cache never served: the test shows nothing")
	}
}

type register struct {
	fence fence.Fence
	mu    sync.Mutex
	value int
}

func (r *register) get() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.value
}

func (r *register) write(t *testing.T, times int) {
	for range times {
		token, err := r.fence.Begin(context.Background(), fence.Intent{Index: "i", IDs: []string{"x"}})
		if err != nil {
			t.Error(err)
			return
		}
		r.mu.Lock()
		r.value++
		r.mu.Unlock()
		r.fence.Complete(token)
		time.Sleep(time.Millisecond)
	}
}

func (r *register) read(t *testing.T, seed uint64, times int) (hits int) {
	rng := rand.New(rand.NewPCG(1, seed))
	for range times {
		due := r.get()
		found, err := r.fence.Lookup(context.Background(), "x", []string{"i"})
		if err != nil {
			t.Error(err)
			return hits
		}
		if found.Entry != nil {
			hits++
			var got int
			fmt.Sscan(string(found.Entry), &got)
			if got < due {
				t.Errorf("served %d when the backend had %d", got, due)
				return hits
			}
			continue
		}
		value := r.get()
		if rng.IntN(4) == 0 {
			time.Sleep(time.Microsecond)
		}
		if _, err := r.fence.Publish(context.Background(), "x", found, fmt.Append(nil, value)); err != nil {
			t.Error(err)
		}
	}
	return hits
}
