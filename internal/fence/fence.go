// Package fence orders reads and writes of one catalogue of indices. Every write opens
// a token before the backend is touched and closes it after the backend is known to be
// done; every answer carries the version vector that it was made under. An answer is
// true for a request when the vector it was made under is the current one and no token
// was open on its indices (DESIGN §9).
//
// The interface is the four server-side steps begin, complete, lookup and publish. The
// in-memory implementation serves one process; a shared one has the same meaning.
package fence

import (
	"context"
	"slices"
)

// A Vector is the state of everything that an answer depends on: the incarnation of the
// fence, the directory (names, aliases, templates) and each index's metadata and data.
type Vector struct {
	Incarnation uint64
	Directory   uint64
	Indices     []IndexVersion // in the order in which they were asked for
}

// IndexVersion counts the mutations of one index's metadata and of its documents.
type IndexVersion struct {
	UUID       string
	Meta, Data uint64
}

// Equal reports whether nothing that v and w name has changed between them.
func (v Vector) Equal(w Vector) bool {
	return v.Incarnation == w.Incarnation && v.Directory == w.Directory && slices.Equal(v.Indices, w.Indices)
}

// Scope is what a mutation changes.
type Scope uint8

const (
	// Documents changes documents of one index.
	Documents Scope = iota
	// Metadata changes the mapping or the settings of one index.
	Metadata
	// Directory changes names, aliases or templates; creating or deleting an index is
	// such a change.
	Directory
)

// An Intent announces one mutation.
type Intent struct {
	Scope Scope
	// Index is the uuid of the index; empty for a change of the directory alone.
	Index string
	// IDs are the documents that are about to change; nil says that they are not known
	// beforehand: such a token is unbounded.
	IDs []string
	// Planned is the catalogue that the mutation was planned with. Begin refuses with
	// ErrMoved when the directory, or the metadata of an index in it, has moved since.
	// A zero Planned is not checked.
	Planned Vector
	// Operation names the mutation to whoever looks at open tokens.
	Operation string
	// SeqNos is how many _seq_no the mutation wants to be given; zero where the store
	// gives them itself.
	SeqNos int
	// Uncovered names the fields of which some document will hold a value that pushed
	// operations do not handle exactly; the set of an index only grows.
	Uncovered []string
}

// A Token is an open mutation. It is closed by Complete, and by nothing else: a crash, a
// cancelled request and a time-out leave it open, and its index answers uncached.
type Token struct {
	ID       string
	Index    string
	Sequence uint64 // of this mutation in its scope
	// SeqNo is the first of the _seq_no that were asked for; the others follow it.
	SeqNo int64
}

// A Position is the state of one index's log of written ids.
type Position struct {
	Sequence  uint64   // the newest mutation in the log
	Open      []string // ids of open tokens, sorted
	Unbounded bool     // an open token does not know its ids
	Uncovered []string // the sticky set of uncovered fields, sorted
}

// Found is the answer of Lookup.
type Found struct {
	// Entry is the cached answer; nil when there is none that is valid now.
	Entry     []byte
	Vector    Vector
	Quiet     bool       // no token is open on any of the indices or on the directory
	Positions []Position // of the indices asked for, in their order
}

// Fence is the contract. Implementations are safe for concurrent use.
type Fence interface {
	// Begin opens a token: it refuses when the planned catalogue has moved, waits while
	// another token holds one of the ids, advances the counter of the scope and writes
	// the ids into the index's log. It gives up with the context's error, and then
	// nothing is open.
	Begin(ctx context.Context, in Intent) (Token, error)
	// Complete closes a token. It may do so after it has returned, and does not give up.
	Complete(t Token)
	// Lookup reads the current vector of the indices and, when key is not empty and the
	// state is quiet, the entry that was published under exactly that vector.
	Lookup(ctx context.Context, key string, indices []string) (Found, error)
	// Publish keeps an entry that was computed after Lookup found the state that is given:
	// if it was quiet then, is quiet now, and its vector is still the current one. Quiet at
	// both ends: the counter moves when a write begins, so that a reader amid a write has
	// the write's own vector and perhaps not yet its effect. It says whether it was kept.
	Publish(ctx context.Context, key string, found Found, entry []byte) (bool, error)
	// Since lists the ids written to an index after a position, oldest first; ok is
	// false when the bounded log no longer reaches back that far or a mutation in
	// between did not know its ids.
	Since(ctx context.Context, index string, after uint64) (ids []string, ok bool, err error)
	// Clear drops all answers, and says how many; tokens and counters stay.
	Clear(ctx context.Context) (int64, error)
	// Forget drops what is kept of a deleted index.
	Forget(ctx context.Context, index string) error
}
