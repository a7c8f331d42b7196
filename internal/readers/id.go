package readers

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"

	"postern/internal/eserr"
)

// Kind is what an id names.
type Kind byte

const (
	// Scroll is a search that is answered page by page.
	Scroll Kind = 's'
	// PointInTime is what any number of searches read.
	PointInTime Kind = 'p'
)

// session names one run of a process, so that no id of an earlier one, or of another
// gateway, is taken for one of its own.
type session [16]byte

// idVersion is the first byte of an id.
const idVersion = 1

// name is what an id says.
type name struct {
	kind    Kind
	session session
	number  uint64
}

func (n name) String() string {
	b := append([]byte{idVersion, byte(n.kind)}, n.session[:]...)
	return base64.URLEncoding.EncodeToString(binary.BigEndian.AppendUint64(b, n.number))
}

// parse reads an id of a kind.
func parse(kind Kind, id string) (name, error) {
	b, err := base64.URLEncoding.DecodeString(id)
	n := name{kind: kind}
	if err != nil || len(b) != 2+len(n.session)+8 || b[0] != idVersion || Kind(b[1]) != kind {
		return n, unreadable(kind)
	}
	copy(n.session[:], b[2:])
	n.number = binary.BigEndian.Uint64(b[2+len(n.session):])
	return n, nil
}

// Self is the name of the gateway in the ids that it gives.
func (c *Contexts) Self() string { return hex.EncodeToString(c.session[:]) }

// Gateway is the name of the gateway that gave an id.
func (c *Contexts) Gateway(kind Kind, id string) (string, error) {
	n, err := parse(kind, id)
	return hex.EncodeToString(n.session[:]), err
}

func unreadable(kind Kind) error {
	if kind == Scroll {
		return eserr.IllegalArgument("Cannot parse scroll id")
	}
	return eserr.IllegalArgument("invalid id of a point in time")
}
