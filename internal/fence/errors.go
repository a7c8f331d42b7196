package fence

import (
	"errors"

	"postern/internal/eserr"
)

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

// ClientError is what a client is told when a step fails: 503 while the fence can't be asked,
// 429 while it has no room. Other errors stay what they are.
func ClientError(err error) error {
	switch {
	case errors.Is(err, ErrUnavailable):
		return errors.Join(err, eserr.Unavailable("Valkey does not answer, and nothing is served on trust: "+err.Error()))
	case errors.Is(err, ErrFull):
		return errors.Join(err, eserr.TooManyWrites())
	}
	return err
}
