package embedded

import (
	"encoding/binary"
	"errors"

	"postern/internal/store"
)

var errRecord = errors.New("embedded: a record is cut off")

// idRecord says where the document of an _id is.
type idRecord struct {
	seq, version int64
	deleted      bool
	deletedAt    int64 // milliseconds
}

func (r idRecord) append(dst []byte) []byte {
	flags := byte(0)
	if r.deleted {
		flags = 1
	}
	dst = append(dst, flags)
	dst = binary.AppendUvarint(dst, uint64(r.seq))
	dst = binary.AppendUvarint(dst, uint64(r.version))
	if r.deleted {
		dst = binary.AppendUvarint(dst, uint64(r.deletedAt))
	}
	return dst
}

// reader reads varints and strings; its first error sticks.
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

func readID(b []byte) (idRecord, error) {
	if len(b) == 0 {
		return idRecord{}, errRecord
	}
	r := reader{b: b[1:]}
	rec := idRecord{deleted: b[0] == 1, seq: int64(r.uint()), version: int64(r.uint())}
	if rec.deleted {
		rec.deletedAt = int64(r.uint())
	}
	return rec, r.err
}

func appendBytes(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// appendDocument is the document record: version, _id, routing, ignored fields, source.
func appendDocument(dst []byte, id string, n store.Next) []byte {
	dst = binary.AppendUvarint(dst, uint64(n.Version))
	dst = appendBytes(dst, id)
	dst = appendBytes(dst, n.Routing)
	var ignored []string
	if n.Doc != nil {
		ignored = n.Doc.Ignored
	}
	dst = binary.AppendUvarint(dst, uint64(len(ignored)))
	for _, f := range ignored {
		dst = appendBytes(dst, f)
	}
	return append(dst, n.Source...)
}

// primaryTerm never changes: there is one copy, and its history goes on after a restart.
const primaryTerm = 1

// readDocument shares b's memory.
func readDocument(b []byte, seq int64) (store.Stored, error) {
	r := reader{b: b}
	s := store.Stored{Found: true, SeqNo: seq, PrimaryTerm: primaryTerm, Version: int64(r.uint())}
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
