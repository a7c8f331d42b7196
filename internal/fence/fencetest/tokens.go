package fencetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"postern/internal/fence"
)

func testClaims(t *testing.T, f fence.Fence) {
	first := begin(t, f, fence.Intent{Index: "i", IDs: []string{"1", "2"}})
	write(t, f, fence.Intent{Index: "i", IDs: []string{"3"}})
	write(t, f, fence.Intent{Index: "j", IDs: []string{"2"}})
	if open := lookup(t, f, "", "i").Positions[0].Open; !slices.Contains(open, "1") || !slices.Contains(open, "2") {
		t.Errorf("open ids %q", open)
	}
	done := make(chan fence.Token)
	go func() {
		token, _ := f.Begin(context.Background(), fence.Intent{Index: "i", IDs: []string{"2"}})
		done <- token
	}()
	select {
	case <-done:
		t.Fatal("a claimed id was claimed again")
	case <-time.After(30 * time.Millisecond):
	}
	f.Complete(first)
	second := <-done
	if second.Sequence <= first.Sequence {
		t.Errorf("sequence %d after %d", second.Sequence, first.Sequence)
	}
	f.Complete(second)
	f.Complete(second)
	if open := quiet(t, f, "i").Positions[0].Open; len(open) != 0 {
		t.Errorf("claims stay: %q", open)
	}
}

func testWaitEnds(t *testing.T, f fence.Fence) {
	held := begin(t, f, fence.Intent{Index: "i", IDs: []string{"1"}})
	short, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := f.Begin(short, fence.Intent{Index: "i", IDs: []string{"0", "1"}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a claimed id: %v", err)
	}
	f.Complete(held)
	quiet(t, f, "i")
	write(t, f, fence.Intent{Index: "i", IDs: []string{"0", "1"}})
}

func testMoved(t *testing.T, f fence.Fence) {
	planned := lookup(t, f, "", "i").Vector
	write(t, f, fence.Intent{Index: "i", IDs: []string{"1"}, Planned: planned})
	write(t, f, fence.Intent{Index: "i", IDs: []string{"1"}, Planned: planned}) // data may move
	write(t, f, fence.Intent{Scope: fence.Metadata, Index: "j"})
	write(t, f, fence.Intent{Index: "i", IDs: []string{"1"}, Planned: planned})
	write(t, f, fence.Intent{Scope: fence.Metadata, Index: "i"})
	if _, err := f.Begin(t.Context(), fence.Intent{Index: "i", IDs: []string{"1"}, Planned: planned}); !errors.Is(err, fence.ErrMoved) {
		t.Errorf("after a mapping change: %v", err)
	}
	planned = quiet(t, f, "i").Vector
	write(t, f, fence.Intent{Scope: fence.Directory})
	if _, err := f.Begin(t.Context(), fence.Intent{Index: "i", IDs: []string{"1"}, Planned: planned}); !errors.Is(err, fence.ErrMoved) {
		t.Errorf("after a change of the directory: %v", err)
	}
	quiet(t, f, "i")
}

func testSince(t *testing.T, f fence.Fence) {
	for i := range 10 {
		write(t, f, fence.Intent{Index: "i", IDs: []string{fmt.Sprint(i)}})
	}
	ids, ok, err := f.Since(t.Context(), "i", 7)
	if err != nil || !ok || !slices.Equal(ids, []string{"7", "8", "9"}) {
		t.Errorf("%q, %v, %v", ids, ok, err)
	}
	if ids, ok, _ := f.Since(t.Context(), "i", 10); !ok || len(ids) != 0 {
		t.Errorf("after the newest: %q, %v", ids, ok)
	}
	for i := range 90 {
		write(t, f, fence.Intent{Index: "i", IDs: []string{fmt.Sprint(i), "x"}})
	}
	if _, ok, _ := f.Since(t.Context(), "i", 7); ok {
		t.Error("the bounded log answers for what it has dropped")
	}
	if ids, ok, _ := f.Since(t.Context(), "i", 98); !ok || !slices.Equal(ids, []string{"88", "x", "89", "x"}) {
		t.Errorf("the newest two: %q, %v", ids, ok)
	}
	write(t, f, fence.Intent{Index: "i"})
	if _, ok, _ := f.Since(t.Context(), "i", 99); ok {
		t.Error("an unbounded write was named")
	}
}

func testUncovered(t *testing.T, f fence.Fence) {
	write(t, f, fence.Intent{Index: "i", IDs: []string{"1"}, Uncovered: []string{"g", "f"}})
	write(t, f, fence.Intent{Index: "i", IDs: []string{"1"}, Uncovered: []string{"f"}})
	if got := quiet(t, f, "i").Positions[0].Uncovered; !slices.Equal(got, []string{"f", "g"}) {
		t.Errorf("%q", got)
	}
}

func testSequences(t *testing.T, f fence.Fence) {
	given := map[int64]bool{}
	last := int64(-1)
	for n := 1; n < 6; n++ {
		token := begin(t, f, fence.Intent{Index: "i", IDs: []string{"1"}, SeqNos: n})
		for i := range n {
			no := token.SeqNo + int64(i)
			if given[no] || no <= last {
				t.Errorf("_seq_no %d after %d", no, last)
			}
			given[no], last = true, no
		}
		f.Complete(token)
	}
}

func testForget(t *testing.T, f fence.Fence) {
	token := begin(t, f, fence.Intent{Index: "i", IDs: []string{"1"}, Uncovered: []string{"f"}})
	if err := f.Forget(t.Context(), "i"); err != nil {
		t.Fatal(err)
	}
	f.Complete(token)
	if p := quiet(t, f, "i").Positions[0]; p.Sequence != 0 || p.Open != nil || p.Uncovered != nil {
		t.Errorf("%+v", p)
	}
	write(t, f, fence.Intent{Index: "i", IDs: []string{"1"}})
	quiet(t, f, "i")
}
