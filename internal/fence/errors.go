package fence

import "errors"

var (
	// ErrMoved says that the catalogue a mutation was planned with has changed; plan it
	// again.
	ErrMoved = errors.New("fence: the catalogue has moved")
	// ErrUnknownToken says that a token is not open.
	ErrUnknownToken = errors.New("fence: no such token is open")
)
