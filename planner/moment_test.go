package planner

import (
	"context"
	"testing"
	"time"

	"postern/internal/fence"
	memfence "postern/internal/fence/memory"
	"postern/internal/metadata"
	"postern/internal/store"
)

// unquiet is a store during whose first writes snapshots somebody writes.
type unquiet struct {
	*memory
	fence    fence.Fence
	gathered bool
	writes   int
	taken    int
}

func (u *unquiet) Snapshot(ctx context.Context, ix *metadata.Index, _ store.Hold) (store.Snapshot, error) {
	if u.taken++; u.taken <= u.writes {
		token, err := u.fence.Begin(ctx, fence.Intent{Scope: fence.Documents, Index: ix.UUID, IDs: []string{"1"}})
		if err != nil {
			return nil, err
		}
		u.fence.Complete(token)
	}
	return patchwork{u.memory, u.gathered}, nil
}

// patchwork is a snapshot that may have been gathered.
type patchwork struct {
	store.Snapshot
	gathered bool
}

func (p patchwork) Gathered() bool { return p.gathered }

// An answer from documents that were read in several calls counts only if nothing was
// written meanwhile; one from a snapshot of one call always does.
func TestGatheredDocumentsAreOfOneMoment(t *testing.T) {
	m, ix := shop(t, 100)
	for _, c := range []struct {
		gathered      bool
		writes, taken int
	}{{false, 1, 1}, {true, 0, 1}, {true, 1, 2}, {true, 2, 3}, {true, 100, maxAttempts + 1}} {
		f := memfence.New(16, 64)
		u := &unquiet{memory: m, fence: f, gathered: c.gathered, writes: c.writes}
		p := &Planner{Documents: u, Node: "n", Now: time.Now, Fence: f}
		a, err := p.Search(t.Context(), []metadata.Resolved{{Index: ix}}, request(t, `{"query":{"match_all":{}}}`))
		if err != nil || a.Total.Value != 100 {
			t.Fatalf("%+v: %+v, %v", c, a, err)
		}
		if u.taken != c.taken {
			t.Errorf("%+v: %d snapshots", c, u.taken)
		}
	}
}
