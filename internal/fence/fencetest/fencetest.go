// Package fencetest holds every implementation of fence.Fence to its contract.
package fencetest

import (
	"testing"
	"time"

	"postern/internal/fence"
)

// Opener makes an empty fence whose log holds at least 16 and at most 64 ids an index.
type Opener func(t *testing.T) fence.Fence

// Run runs the suite.
func Run(t *testing.T, open Opener) {
	for name, test := range map[string]func(*testing.T, fence.Fence){
		"an entry is served only under its vector and in quiet": testEntries,
		"an entry of several indices depends on each of them":   testSeveral,
		"an open claim makes the next writer of the id wait":    testClaims,
		"a wait ends with the context":                          testWaitEnds,
		"begin refuses a moved catalogue":                       testMoved,
		"since names every write or says that it can't":         testSince,
		"uncovered fields stick":                                testUncovered,
		"sequence numbers are given once":                       testSequences,
		"a forgotten index starts anew":                         testForget,
		"ids and keys of any bytes":                             testBytes,
		"no stale answer under concurrency":                     testStale,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func begin(t *testing.T, f fence.Fence, in fence.Intent) fence.Token {
	t.Helper()
	token, err := f.Begin(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func lookup(t *testing.T, f fence.Fence, key string, indices ...string) fence.Found {
	t.Helper()
	found, err := f.Lookup(t.Context(), key, indices)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// quiet waits until all tokens that were given to Complete are closed.
func quiet(t *testing.T, f fence.Fence, indices ...string) fence.Found {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		if found := lookup(t, f, "", indices...); found.Quiet {
			return found
		}
		if time.Now().After(end) {
			t.Fatal("completed tokens stay open")
		}
	}
}

func write(t *testing.T, f fence.Fence, in fence.Intent) {
	t.Helper()
	f.Complete(begin(t, f, in))
}

func publish(t *testing.T, f fence.Fence, key string, found fence.Found, entry string) bool {
	t.Helper()
	ok, err := f.Publish(t.Context(), key, found, []byte(entry))
	if err != nil {
		t.Fatal(err)
	}
	return ok
}
