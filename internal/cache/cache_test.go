package cache

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"postern/internal/fence"
	"postern/internal/fence/memory"
)

func ask(t *testing.T, c *Cache, key string) (fence.Found, []byte) {
	t.Helper()
	found, answer, err := c.Lookup(t.Context(), key, []string{"i"})
	if err != nil {
		t.Fatal(err)
	}
	return found, answer
}

func keep(t *testing.T, c *Cache, key string, found fence.Found, answer string) {
	t.Helper()
	c.Keep(t.Context(), key, found, []byte(answer))
	c.Wait()
}

// An answer is served by the cache that kept it and by another one on the same fence, until
// something is written.
func TestAnAnswerIsServedUntilAWrite(t *testing.T) {
	f := memory.New(16, 16)
	a, b := New(f, 1<<20), New(f, 1<<20)
	for _, answer := range []string{"short", strings.Repeat("long ", 5000)} {
		found, nothing := ask(t, a, answer)
		if nothing != nil {
			t.Fatal("an answer before there is one")
		}
		keep(t, a, answer, found, answer)
		for _, c := range []*Cache{a, b, a, b} {
			if _, got := ask(t, c, answer); string(got) != answer {
				t.Errorf("served was %.20q", got)
			}
		}
		if _, got := ask(t, a, "other"); got != nil {
			t.Error("another key is answered")
		}
		token, err := f.Begin(t.Context(), fence.Intent{Scope: fence.Documents, Index: "i", IDs: []string{"1"}})
		if err != nil {
			t.Fatal(err)
		}
		amid, got := ask(t, a, answer)
		if got != nil {
			t.Error("served amid a write")
		}
		keep(t, a, answer, amid, "made amid a write")
		f.Complete(token)
		for _, c := range []*Cache{a, b} {
			if _, got := ask(t, c, answer); got != nil {
				t.Errorf("served after a write: %.20q", got)
			}
		}
	}
	if hits, misses, refused := a.Counts(); hits != 4 || misses == 0 || refused != 2 {
		t.Errorf("%d hits, %d misses, %d refused", hits, misses, refused)
	}
}

// What was made from a state that has passed is not kept.
func TestAnAnswerFromBeforeAWriteIsNotKept(t *testing.T) {
	f := memory.New(16, 16)
	c := New(f, 1<<20)
	found, _ := ask(t, c, "k")
	token, err := f.Begin(t.Context(), fence.Intent{Scope: fence.Metadata, Index: "i"})
	if err != nil {
		t.Fatal(err)
	}
	f.Complete(token)
	keep(t, c, "k", found, "old")
	if _, got := ask(t, c, "k"); got != nil {
		t.Errorf("served was %q", got)
	}
}

func TestClearedAnswersAreGone(t *testing.T) {
	c := New(memory.New(4, 16), 1000)
	found, _ := ask(t, c, "k")
	keep(t, c, "k", found, "v")
	if err := c.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, got := ask(t, c, "k"); got != nil || c.held != 0 {
		t.Errorf("served was %q, held are %d bytes", got, c.held)
	}
}

func TestTheProcessKeepsNoMoreThanItsBudget(t *testing.T) {
	c := New(memory.New(1, 16), 1000)
	for i := range 20 {
		key := fmt.Sprint("k", i)
		found, _ := ask(t, c, key)
		keep(t, c, key, found, strings.Repeat("x", 100))
		if c.held > 1000 || c.recent.Len() != len(c.byKey) {
			t.Fatalf("%d bytes in %d answers", c.held, c.recent.Len())
		}
	}
	if _, got := ask(t, c, "k19"); got == nil {
		t.Error("the last answer is gone")
	}
	if _, got := ask(t, c, "k0"); got != nil {
		t.Error("the first answer is still there")
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(pack([]byte("short")))
	f.Add(pack(bytes.Repeat([]byte("long "), 5000)))
	f.Add([]byte{compressed, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, b []byte) {
		if answer, err := unpack(b); err == nil && len(answer) <= maxEntry {
			if again, err := unpack(pack(answer)); err != nil || !bytes.Equal(again, answer) {
				t.Fatalf("%q became %q (%v)", answer, again, err)
			}
		}
	})
}
