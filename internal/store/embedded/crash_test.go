package embedded

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"postern/internal/metadata"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

// TestCrash opens what a file system that loses what was not synced has kept at random
// moments under concurrent writers. What was not synced is lost, or kept in part, at
// random.
func TestCrash(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("POSTERN_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("POSTERN_SEED=%d", seed)
	rounds, crashes := 2, 3
	switch {
	case os.Getenv("POSTERN_SOAK") != "":
		rounds, crashes = 60, 30
	case testing.Short():
		rounds = 1
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for range rounds {
		crashRound(t, rng, crashes)
		if t.Failed() {
			return
		}
	}
}

func crashRound(t *testing.T, rng *rand.Rand, crashes int) {
	disk := vfs.NewCrashableMem()
	opts := testOptions()
	opts.FS, opts.sizes = disk, small()
	s := openAt(t, "data", opts)
	ix := storetest.Index(t, s, "i")
	h := newHistory(20)
	for crash := range crashes {
		stop := h.run(t, s, ix, nil)
		for range 2 {
			time.Sleep(time.Duration(rng.IntN(40)) * time.Millisecond)
			// What was acknowledged or shown before the crash must be there, and nothing but
			// what had been issued after it.
			sure := h.clone()
			created := fmt.Sprint("created-", crash)
			if s.catalog.Load().Index(created) == nil {
				storetest.Index(t, s, created)
			}
			kept := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
			for i := range h.ids {
				sure.issued[i].Store(h.issued[i].Load())
			}
			reopen(t, kept, opts, sure, created)
		}
		stop()
		if t.Failed() {
			return
		}
		// The next round goes on from a crash.
		disk = disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
		closeStore(t, s)
		opts.FS = disk
		s = openAt(t, "data", opts)
		ix = s.catalog.Load().Index("i")
		h.check(t, s, ix)
	}
	closeStore(t, s)
}

// reopen checks a crashed disk, twice: what a start makes of it must be as good.
func reopen(t *testing.T, disk vfs.FS, opts Options, h *history, created string) {
	opts.FS = disk
	for range 2 {
		s := openAt(t, "data", opts)
		ix := s.catalog.Load().Index("i")
		if ix == nil || s.catalog.Load().Index(created) == nil {
			t.Fatal("an index is gone")
		}
		h.check(t, s, ix)
		countsAgree(t, s, ix, h)
		closeStore(t, s)
	}
}

// countsAgree: statistics and reads that are not in realtime say the same.
func countsAgree(t *testing.T, s store.Documents, ix *metadata.Index, h *history) {
	stats, err := s.Stats(context.Background(), ix)
	if err != nil {
		t.Fatal(err)
	}
	live := 0
	docs, err := s.Get(context.Background(), ix, h.ids, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if d.Found {
			live++
		}
	}
	if int(stats.Docs) != live {
		t.Errorf("%d documents are counted, %d are found", stats.Docs, live)
	}
}

func closeStore(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
