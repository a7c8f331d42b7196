package store

import "postern/internal/mapping"

// Mutation changes one document. Apply decides what becomes of it, given what is there.
// It must have no effect but its result, which depends on nothing but the prior state: a
// store may call it again when another writer was faster, and the last call counts.
type Mutation struct {
	ID string
	// NeedSource says that Apply reads Prior.Source and Prior.Routing; else they may be
	// empty.
	NeedSource bool
	// Fresh says that the ID has just been made and can't be any document's, so that a
	// store need not look for one.
	Fresh bool
	Apply func(Prior) (Next, error)
}

// Prior is the state of a document before a mutation.
type Prior struct {
	// Found says that the document is there. When it is not, but was deleted less than
	// index.gc_deletes ago, Tombstone is set and the versions are those of the deletion.
	Found, Tombstone            bool
	Version, SeqNo, PrimaryTerm int64
	Routing                     string
	Source                      []byte
}

// Action is what a mutation does.
type Action uint8

const (
	// Noop leaves the document as it is.
	Noop Action = iota
	// Put stores Source as the document.
	Put
	// Delete removes the document, or the fact that there is none, and leaves a tombstone
	// with the version.
	Delete
)

// Next is the state of a document after a mutation.
type Next struct {
	Action  Action
	Version int64
	Routing string
	Source  []byte
	// Doc are the columns of Source. The store sets its ID, Routing, SeqNo and Version, and
	// copies what it keeps of it before Write returns.
	Doc *mapping.Document
}

// Result is the outcome of one mutation.
type Result struct {
	// Err is what Apply refused with, or why the mutation failed; the document is then as
	// it was, unless it is ErrUnknown.
	Err    error
	Action Action
	// Found says that the document was there before.
	Found                       bool
	Version, SeqNo, PrimaryTerm int64
	// Source is the document's source after the mutation; nil once it is deleted.
	Source []byte
}
