package embedded

import "encoding/binary"

// All indices lie in one database. A key is a kind; for all kinds but the first two it is
// followed by the index's uuid, a zero byte and a rest. Numbers in keys are big-endian, so
// that keys sort by them; numbers in values are varints.
//
//	f                    the format of the database
//	c                    the catalog: metadata.State in its durable form
//	n uuid 0             the next _seq_no and the primary term
//	i uuid 0 _id         the id record: where the document of an _id is, or its tombstone
//	d uuid 0 seq         the document record of one write: _id, routing, source …
//	g uuid 0 seq         that document record has been replaced: it is garbage as soon as
//	                     no snapshot sees it
//	t uuid 0 ms _id      a tombstone made at that moment, to find the old ones
//	m uuid 0             the manifest: the persisted runs, in the order of _seq_no
//	l uuid 0 run         the documents of a persisted run that are dead
//	s uuid 0 run b piece a piece of the blob number b of a persisted run; the last blob is
//	                     the directory of the others
//
// A write is one batch: document record, id record, the mark of what it replaced, the next
// _seq_no. So what is live follows from these alone: a document record is live if no mark
// stands beside it, and everything else is made from live records. A mark goes away
// together with its record, in one batch with the l records that say the same of the
// persisted columns. At a start the columns of runs are read, the marks that are left are
// added to what l says is dead, and the records above the last run's range are parsed
// again.
//
// The pieces are not written through the log: a run is a table of its own that becomes
// part of the database when it is complete and synced. The manifest names it afterwards;
// runs that it does not name are removed at a start.
const (
	kindFormat    = 'f'
	kindCatalog   = 'c'
	kindNext      = 'n'
	kindID        = 'i'
	kindDocument  = 'd'
	kindGarbage   = 'g'
	kindTombstone = 't'
	kindManifest  = 'm'
	kindDead      = 'l'
	kindPiece     = 's'
)

// formatVersion is raised when older versions can no longer read the database.
const formatVersion = 1

// perIndex are the kinds whose keys belong to one index.
const perIndex = "nidgtmls"

// appendPrefix begins the key of an index.
func appendPrefix(dst []byte, kind byte, uuid string) []byte {
	dst = append(dst, kind)
	dst = append(dst, uuid...)
	return append(dst, 0)
}

func prefix(kind byte, uuid string) []byte {
	return appendPrefix(make([]byte, 0, len(uuid)+18), kind, uuid)
}

func appendIDKey(dst []byte, uuid, id string) []byte {
	return append(appendPrefix(dst, kindID, uuid), id...)
}

// appendSeqKey is the key of a document record, a mark of garbage or a run.
func appendSeqKey(dst []byte, kind byte, uuid string, seq int64) []byte {
	return binary.BigEndian.AppendUint64(appendPrefix(dst, kind, uuid), uint64(seq))
}

func seqKey(kind byte, uuid string, seq int64) []byte {
	return binary.BigEndian.AppendUint64(prefix(kind, uuid), uint64(seq))
}

// seqOf is the number that a key ends with.
func seqOf(k []byte) int64 { return int64(binary.BigEndian.Uint64(k[len(k)-8:])) }

func appendTombstoneKey(dst []byte, uuid string, ms int64, id string) []byte {
	return append(appendSeqKey(dst, kindTombstone, uuid, ms), id...)
}

// runKey begins the keys of all pieces of a run.
func runKey(uuid string, run uint64) []byte { return seqKey(kindPiece, uuid, int64(run)) }

func appendPieceKey(dst []byte, uuid string, run uint64, blob, piece uint32) []byte {
	dst = appendSeqKey(dst, kindPiece, uuid, int64(run))
	dst = binary.BigEndian.AppendUint32(dst, blob)
	return binary.BigEndian.AppendUint32(dst, piece)
}

// after is the first key behind all that begin with a prefix.
func after(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}
