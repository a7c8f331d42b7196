// Package store holds the ports between Postern and what keeps its documents: Documents
// and Catalog. An implementation answers for durability and for what a reader sees; what
// a write means (versions, conflicts, merging of partial documents) comes with it as a
// Mutation. Package storetest holds every implementation to what is said here.
package store

import (
	"context"

	"postern/internal/metadata"
)

// Documents keeps the documents of indices, which are named by uuid. It is safe for
// concurrent use.
//
// Durable: what Write has returned without an error survives a crash at any moment, and
// so does whatever a reader has been shown; a store never shows what a crash could still
// take back. A mutation is whole or absent after a crash. A call of many mutations is no
// transaction: after a crash in its midst a first part of it may be there, in its order.
//
// Visible: a realtime Get sees every write that has returned. Snapshots and other Gets
// see the writes up to some refresh, all of them and no later ones; a store may refresh
// more often than it is told to, at the extreme after every write. What a snapshot sees
// does not change while it is held.
//
// Ordered: each write of an index has a _seq_no above those of all writes that returned
// before it began, also across restarts; a _seq_no is never given twice, but some may be
// left out. Where several gateways write to one backend, this holds for the writes of each
// gateway, and for those of each document. The primary term of an index grows when its store is opened again, and a
// document keeps the one of its last write.
type Documents interface {
	// CreateIndex makes room for an index. Doing it again for the same uuid changes
	// nothing. An index that no catalog names is forgotten when the store is opened again.
	CreateIndex(ctx context.Context, ix *metadata.Index) error
	// DropIndex removes an index and all its documents. Snapshots of it stay readable
	// until they are released. Doing it again changes nothing.
	DropIndex(ctx context.Context, uuid string) error

	// Write applies mutations in their order and gives one Result for each: those of one
	// _id see one another, and writes of one _id in several calls happen one after the
	// other. A failed mutation does not stop the others. The error is that of the call as
	// a whole: nothing was written if it is ErrRefused or ErrClosed, everything was if
	// there are results beside it (then only the wait for a refresh failed), and else the
	// outcome is unknown.
	Write(ctx context.Context, ix *metadata.Index, mutations []Mutation, refresh Refresh) ([]Result, error)
	// Get reads documents by _id, in the order asked, with Found false for those that are
	// not there. Realtime reads see every write at once; others see what a search sees.
	Get(ctx context.Context, ix *metadata.Index, ids []string, realtime bool) ([]Stored, error)

	// Snapshot is what a search sees now.
	Snapshot(ctx context.Context, ix *metadata.Index, hold Hold) (Snapshot, error)
	// Refresh makes all writes that have returned visible to searches.
	Refresh(ctx context.Context, ix *metadata.Index) error
	// Flush writes out what would otherwise be built again at the next start. It changes
	// nothing that anyone sees.
	Flush(ctx context.Context, ix *metadata.Index) error
	Stats(ctx context.Context, ix *metadata.Index) (Stats, error)
	// Close ends all calls and makes later ones fail with ErrClosed, those of held
	// snapshots too.
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

// Hold tells how long a snapshot will be held.
type Hold uint8

const (
	// HoldForRequest is for one search. A store may read the sources when they are asked
	// for, and then fails with ErrMoved when a document has been written since.
	HoldForRequest Hold = iota
	// HoldForContext is for a scroll or a point in time: the sources are kept, too, for as
	// long as the snapshot is.
	HoldForContext
)

// Stored is a document as it is kept.
type Stored struct {
	Found       bool
	ID, Routing string
	// Source are the bytes that were received; they must not be changed.
	Source                      []byte
	Version, SeqNo, PrimaryTerm int64
	// Ignored are the fields whose values were ignored, sorted.
	Ignored []string
}
