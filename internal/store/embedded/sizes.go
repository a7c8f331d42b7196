package embedded

import "time"

// sizes are when things happen.
type sizes struct {
	// A tail takes tailDocs documents or about tailBytes of memory before a new one begins;
	// this bounds what a start parses again. When more than tails full ones wait to be
	// persisted, writers wait.
	tailDocs  int
	tailBytes int64
	tails     int
	// chunk is about how many bytes of a call are one batch. A large call is several, so
	// that it neither fills memory nor keeps other writers waiting; only the last one is
	// synced, which syncs those before it.
	chunk int
	// mergeWidth is how many adjacent runs of one size are merged into one. mergeDocs and
	// mergeBytes bound what a merge makes, since it is made in memory.
	mergeWidth int
	mergeDocs  int
	mergeBytes int64
	// removeAt is how many garbage records are removed at once; fewer wait for removeAfter,
	// so that the bitmaps of the dead are not written at every refresh.
	removeAt    int
	removeAfter time.Duration
}

func (s *sizes) orDefaults() {
	if s.tailDocs == 0 {
		*s = sizes{tailDocs: 4096, tailBytes: 8 << 20, tails: 4, chunk: 512 << 10,
			mergeWidth: 8, mergeDocs: 1 << 20, mergeBytes: 64 << 20, removeAt: 4096, removeAfter: time.Second}
	}
}
