package store

import "errors"

var (
	// ErrNoIndex says that the store does not have the index: it was dropped meanwhile.
	ErrNoIndex = errors.New("store: no such index")
	// ErrClosed says that the store has been closed.
	ErrClosed = errors.New("store: closed")
	// ErrLocked says that another process has the data folder.
	ErrLocked = errors.New("store: the data folder is in use by another process")
	// ErrFormat says that the data was written by a newer version.
	ErrFormat = errors.New("store: the data folder has a newer format")
	// ErrRefused says that nothing was written, for want of memory.
	ErrRefused = errors.New("store: refused")
)
