package embedded

import (
	"sync"
	"sync/atomic"
	"time"

	"postern/internal/metadata"
)

// index is the open state of one index.
//
// Writes go to the database and to the last run, the tail. A refresh shows what has been
// written so far: it marks what was replaced as dead and publishes the runs as a state,
// which snapshots hold. Full tails are persisted, and runs merged, in the background; that
// changes neither what is shown nor what is there.
type index struct {
	s    *Store
	uuid string
	// term is the primary term of this time that the store is open.
	term int64
	// settings are those of the newest metadata seen.
	settings atomic.Pointer[settings]
	// synced is the _seq_no below which all writes survive a crash.
	synced atomic.Int64

	// mu orders writes: it is held from reading what is there until the batch is in the
	// database, not while it is synced. It guards all down to manifest.
	mu      sync.Mutex
	nextSeq int64
	runs    []*run // in the order of _seq_no; the last one may be a tail
	lastRun uint64 // the number of the newest run
	// replaced are the document records replaced since they were last buried.
	replaced []replacement
	dropped  atomic.Bool
	// visible is the _seq_no below which searches see all writes.
	visible     int64
	lastRefresh time.Time
	ticker      *time.Timer   // will refresh; nil when nothing is due
	refreshed   chan struct{} // closed at the next refresh
	waiting     int           // writes that wait for it
	progress    chan struct{} // closed when a tail has been persisted
	failed      error         // why the last attempt to persist failed
	sweeping    bool          // a timer will look for old tombstones
	sweepDue    bool          // it is time to
	removing    bool          // a timer will remove garbage

	// manifest is held while the list of persisted runs is changed and written.
	manifest sync.Mutex

	states holder

	lastSearch                                  atomic.Int64 // nanoseconds since 1970
	indexed, deleted, gets, searches, refreshes atomic.Int64
}

// replacement is a document record that a later write has replaced.
type replacement struct{ seq, by int64 }

func newIndex(s *Store, meta *metadata.Index) *index {
	ix := &index{s: s, uuid: meta.UUID, term: 1, refreshed: make(chan struct{}), progress: make(chan struct{}), lastRefresh: time.Now()}
	ix.settings.Store(settingsOf(meta))
	ix.states.begin(ix)
	ix.lastSearch.Store(time.Now().UnixNano())
	return ix
}
