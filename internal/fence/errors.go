package fence

import "errors"

var (
	// ErrMoved says that the catalogue a mutation was planned with has changed; plan it
	// again.
	ErrMoved = errors.New("fence: the catalogue has moved")
	// ErrUnavailable says that the fence cannot be asked: nothing may be read or written
	// on trust meanwhile.
	ErrUnavailable = errors.New("fence: unavailable")
	// ErrFull says that there is no room for another open mutation; nothing is open.
	ErrFull = errors.New("fence: too many open mutations")
)
