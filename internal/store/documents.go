// Package store holds the ports between Postern and what keeps its documents: Documents
// and Catalog. An implementation answers for durability and for what a reader sees; what
// a write means (versions, conflicts, merging of partial documents) comes with it as a
// Mutation.
package store

import (
	"context"

	"postern/internal/metadata"
	"postern/internal/segment"
)

// Documents keeps the documents of indices, which are named by uuid. It is safe for
// concurrent use.
type Documents interface {
	// CreateIndex makes room for an index. Doing it again for the same uuid changes
	// nothing.
	CreateIndex(ctx context.Context, ix *metadata.Index) error
	// DropIndex removes an index and all its documents. Snapshots of it stay readable
	// until they are released.
	DropIndex(ctx context.Context, uuid string) error

	// Write applies mutations in their order and gives one Result for each: those of one
	// _id see one another. When it returns, every Result without an error is durable; a
	// mutation is whole or absent after a crash at any moment. The error is that of the
	// call as a whole: then the outcome of its mutations is unknown, unless it is an
	// ErrRefused.
	Write(ctx context.Context, ix *metadata.Index, mutations []Mutation, refresh Refresh) ([]Result, error)
	// Get reads documents by _id, in the order asked, with Found false for those that are
	// not there. Realtime reads see every write at once; others see what a search sees.
	Get(ctx context.Context, ix *metadata.Index, ids []string, realtime bool) ([]Stored, error)

	// Snapshot is what a search sees now: all writes before the last refresh. It does not
	// change while it is held.
	Snapshot(ctx context.Context, ix *metadata.Index) (Snapshot, error)
	// Refresh makes all writes so far visible to searches.
	Refresh(ctx context.Context, ix *metadata.Index) error
	// Flush writes out what would otherwise be built again at the next start.
	Flush(ctx context.Context, ix *metadata.Index) error
	Stats(ctx context.Context, ix *metadata.Index) (Stats, error)
	Close() error
}

// Refresh tells when a write becomes visible to searches.
type Refresh uint8

const (
	// RefreshNone leaves it to the index's interval.
	RefreshNone Refresh = iota
	// RefreshNow makes the write visible before Write returns.
	RefreshNow
	// RefreshWait waits for the next refresh.
	RefreshWait
)

// Snapshot is one moment of one index.
type Snapshot interface {
	// Parts are the segments, in the order of _seq_no.
	Parts() []segment.Part
	// Sources reads the documents of the snapshot with these _seq_no, in the order asked.
	Sources(ctx context.Context, seqNos []int64) ([]Stored, error)
	// ID is equal for snapshots of the same moment.
	ID() string
	// Release gives the snapshot back; it must not be used after that.
	Release()
}

// Stored is a document as it is kept.
type Stored struct {
	Found       bool
	ID, Routing string
	// Source are the bytes that were received; they must not be changed.
	Source                      []byte
	Version, SeqNo, PrimaryTerm int64
	Ignored                     []string
}

// Stats are figures of one index.
type Stats struct {
	Docs, Deleted int64
	Segments      int
	// StoreBytes estimates what lies on disk, MemoryBytes what is held in memory.
	StoreBytes, MemoryBytes int64
	MaxSeqNo                int64
	Fields                  []segment.FieldBytes
	IndexTotal, DeleteTotal int64
	GetTotal, SearchTotal   int64
	RefreshTotal            int64
}
