package embedded

import (
	"encoding/binary"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// All indices lie in one database. A key is a kind, for all kinds but two an index's uuid
// and a zero byte, and a rest:
//
//	f                the format of the database
//	c                the catalog
//	i uuid 0 _id     the id record: where the document is, or its tombstone
//	d uuid 0 seq     the document record, seq in eight bytes
//	g uuid 0 seq     that document record is no longer any document's: it was replaced
//	t uuid 0 ms _id  a tombstone made at that moment
//	n uuid 0         the next _seq_no
//	m uuid 0         the manifest: the persisted segments
//	s uuid 0 n name  a blob of segment n
const (
	kindFormat    = 'f'
	kindCatalog   = 'c'
	kindID        = 'i'
	kindDocument  = 'd'
	kindGarbage   = 'g'
	kindTombstone = 't'
	kindNextSeq   = 'n'
	kindManifest  = 'm'
	kindSegment   = 's'
)

// formatVersion is raised when older versions can no longer read the database.
const formatVersion = 1

// perIndex are the kinds whose keys belong to one index.
const perIndex = "idgtnms"

func key(kind byte, uuid string, rest ...byte) []byte {
	k := make([]byte, 0, 2+len(uuid)+len(rest))
	k = append(k, kind)
	k = append(k, uuid...)
	k = append(k, 0)
	return append(k, rest...)
}

func idKey(uuid, id string) []byte { return key(kindID, uuid, []byte(id)...) }

func seqKey(kind byte, uuid string, seq int64) []byte {
	return binary.BigEndian.AppendUint64(key(kind, uuid), uint64(seq))
}

func seqOf(k []byte) int64 { return int64(binary.BigEndian.Uint64(k[len(k)-8:])) }

func tombstoneKey(uuid string, ms int64, id string) []byte {
	return append(seqKey(kindTombstone, uuid, ms), id...)
}

func blobKey(uuid string, segment uint64, name string) []byte {
	return append(binary.BigEndian.AppendUint64(key(kindSegment, uuid), segment), name...)
}

// after is the first key behind all that begin with prefix.
func after(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}

// scan calls f with the keys and values that begin with prefix, from a key on. What f is
// given must not be kept.
func scan(r pebble.Reader, prefix, from []byte, f func(k, v []byte) error) error {
	if from == nil {
		from = prefix
	}
	it, err := r.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: after(prefix)})
	if err != nil {
		return err
	}
	for ok := it.First(); ok; ok = it.Next() {
		v, err := it.ValueAndErr()
		if err == nil {
			err = f(it.Key(), v)
		}
		if err != nil {
			it.Close()
			return err
		}
	}
	if err := it.Error(); err != nil {
		it.Close()
		return err
	}
	return it.Close()
}

// get copies a value; absent keys give nil.
func get(r pebble.Reader, k []byte) ([]byte, error) {
	v, closer, err := r.Get(k)
	if err == pebble.ErrNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", k, err)
	}
	v = append(make([]byte, 0, len(v)), v...)
	return v, closer.Close()
}
