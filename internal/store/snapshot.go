package store

import (
	"context"

	"postern/internal/segment"
)

// Snapshot is one moment of one index, unless it is Gathered. It is safe for concurrent use.
type Snapshot interface {
	// Parts are the segments, in the order of _seq_no, with the documents that are live.
	Parts() []segment.Part
	// Sources reads documents of the snapshot by _seq_no, in the order asked, also those
	// that have been replaced or deleted since. One that is not of the snapshot has Found
	// false.
	Sources(ctx context.Context, seqNos []int64) ([]Stored, error)
	// ID is equal for snapshots of the same moment of the same index and differs for all
	// others.
	ID() string
	// Release gives the snapshot back; it must not be used after that, but may be released
	// again.
	Release()
}

// Gathered is what a Snapshot is besides when its documents were perhaps read in several
// calls: those of adjacent moments may stand beside each other in it, each as it once was.
type Gathered interface{ Gathered() bool }

// IsGathered tells of a snapshot whether its documents may be of several moments.
func IsGathered(s Snapshot) bool {
	g, ok := s.(Gathered)
	return ok && g.Gathered()
}
