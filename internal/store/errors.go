package store

import (
	"errors"

	"postern/internal/eserr"
	"postern/internal/metadata"
)

// The errors of a store that callers tell apart. Whatever a call returns that is none of
// them, and no *eserr.Error, is a failure of the machine: the outcome of a write is then
// unknown.
var (
	// ErrNoIndex says that the store does not have the index: it was dropped meanwhile.
	// Nothing of the call is left, since nothing of the index is.
	ErrNoIndex = errors.New("store: no such index")
	// ErrClosed says that the store has been closed before the call began.
	ErrClosed = errors.New("store: closed")
	// ErrUnknown says that a write may or may not have happened, or may yet happen. It can
	// be the error of a single Result.
	ErrUnknown = errors.New("store: the outcome of the write is unknown")
	// ErrMoved says that a snapshot can't give a document as it was, since it has been
	// written: whoever asks takes another snapshot and begins again.
	ErrMoved = errors.New("store: a document has been written since")
	// ErrRefused says that nothing was written, for want of room.
	ErrRefused = errors.New("store: refused")

	// ErrNotPushed is an Engine's answer to what it cannot do; nothing has been asked.
	ErrNotPushed = errors.New("store: not for the engine")

	// ErrFenced says that the cluster's gateways share a fence, which this one has not been
	// given, and ErrNotFenced the contrary.
	ErrFenced    = errors.New("store: the cluster is fenced")
	ErrNotFenced = errors.New("store: the cluster is not fenced")

	// ErrLocked says that another process has the data folder.
	ErrLocked = errors.New("store: the data folder is in use by another process")
	// ErrUnwritable says that the data folder can't be made or written to.
	ErrUnwritable = errors.New("store: the data folder is not writable")
	// ErrFormat says that the data was written by a newer version.
	ErrFormat = errors.New("store: the data folder has a newer format")
)

// ClientError is what a client is told when a call on an index fails: an index that was
// deleted meanwhile does not exist, and what was refused for want of room is refused with
// 429. All other errors stay what they are.
func ClientError(ix *metadata.Index, err error) error {
	switch {
	case errors.Is(err, ErrNoIndex):
		return eserr.IndexNotFound(ix.Name, "")
	case errors.Is(err, ErrRefused):
		return eserr.TooMuchMemory()
	}
	return err
}
