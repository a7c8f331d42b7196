package embedded

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"postern/internal/store"
)

var errRecord = errors.New("embedded: a record is cut off")

// idRecord says where the document of an _id is.
type idRecord struct {
	seq, version, term int64
	deleted            bool
	deletedAt          int64 // milliseconds since 1970
}

func (r idRecord) append(dst []byte) []byte {
	flags := byte(0)
	if r.deleted {
		flags = 1
	}
	dst = append(dst, flags)
	dst = binary.AppendUvarint(dst, uint64(r.seq))
	dst = binary.AppendUvarint(dst, uint64(r.version))
	dst = binary.AppendUvarint(dst, uint64(r.term))
	if r.deleted {
		dst = binary.AppendUvarint(dst, uint64(r.deletedAt))
	}
	return dst
}

func readID(b []byte) (idRecord, error) {
	if len(b) == 0 {
		return idRecord{}, errRecord
	}
	r := reader{b: b[1:]}
	rec := idRecord{deleted: b[0] == 1, seq: r.int(), version: r.int(), term: r.int()}
	if rec.deleted {
		rec.deletedAt = r.int()
	}
	return rec, r.err
}

// lookUp reads the id record of a key; found tells whether there is one.
func lookUp(db pebble.Reader, k []byte) (rec idRecord, found bool, err error) {
	v, closer, err := db.Get(k)
	if err == pebble.ErrNotFound {
		return rec, false, nil
	}
	if err != nil {
		return rec, false, fmt.Errorf("read %q: %w", k, err)
	}
	rec, err = readID(v)
	return rec, true, errors.Join(err, closer.Close())
}

// appendDocument is the document record: version, term, _id, routing, ignored fields,
// source.
func appendDocument(dst []byte, id string, term int64, n *store.Next) []byte {
	dst = binary.AppendUvarint(dst, uint64(n.Version))
	dst = binary.AppendUvarint(dst, uint64(term))
	dst = appendText(dst, id)
	dst = appendText(dst, n.Routing)
	dst = binary.AppendUvarint(dst, uint64(len(n.Doc.Ignored)))
	for _, f := range n.Doc.Ignored {
		dst = appendText(dst, f)
	}
	return append(dst, n.Source...)
}

// readDocument shares b's memory.
func readDocument(b []byte, seq int64) (store.Stored, error) {
	r := reader{b: b}
	s := store.Stored{Found: true, SeqNo: seq, Version: r.int(), PrimaryTerm: r.int()}
	s.ID, s.Routing = string(r.bytes()), string(r.bytes())
	for range r.uint() {
		if r.err != nil {
			break
		}
		s.Ignored = append(s.Ignored, string(r.bytes()))
	}
	s.Source = r.b
	return s, r.err
}

func appendText(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// reader reads varints and texts; its first error sticks.
type reader struct {
	b   []byte
	err error
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.err = nil, errRecord
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) int() int64 { return int64(r.uint()) }

func (r *reader) bytes() []byte {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.b, r.err = nil, errRecord
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}
