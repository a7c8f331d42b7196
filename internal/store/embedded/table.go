package embedded

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"postern/internal/segment"
	"postern/internal/store"
)

const (
	// pieceBytes is how much of a blob is one value.
	pieceBytes = 256 << 10
	// directory is the number of the blob that lists the others: their names and sizes in
	// the order of their numbers.
	directory = math.MaxUint32
)

// writeRun writes a segment as the pieces of a run, one column at a time, and makes them
// part of the database. It gives the bytes written.
func (ix *index) writeRun(number uint64, seg *segment.Segment) (size int64, err error) {
	if !ix.s.gate.again() {
		return 0, store.ErrClosed
	}
	defer ix.s.gate.leave()
	s, files := ix.s, ix.s.opts.FS
	path := files.PathJoin(s.ingest, strconv.FormatUint(s.tables.Add(1), 10)+".sst")
	file, err := files.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return 0, err
	}
	table := sstable.NewWriter(objstorageprovider.NewFileWritable(file), s.pebble.MakeWriterOptions(len(s.pebble.Levels)-1, s.db.TableFormat()))
	var list, key []byte
	blob := uint32(0)
	err = seg.Encode(func(name string, b []byte) error {
		list = appendText(list, name)
		list = binary.AppendUvarint(list, uint64(len(b)))
		size += int64(len(b))
		for piece := uint32(0); piece == 0 || len(b) > 0; piece++ {
			n := min(len(b), pieceBytes)
			key = appendPieceKey(key[:0], ix.uuid, number, blob, piece)
			if err := table.Set(key, b[:n]); err != nil {
				return err
			}
			b = b[n:]
		}
		blob++
		return nil
	})
	if err == nil {
		err = table.Set(appendPieceKey(key[:0], ix.uuid, number, directory, 0), list)
	}
	if err = errors.Join(err, table.Close()); err == nil {
		err = s.db.Ingest(context.Background(), []string{path})
	}
	if err != nil {
		return 0, errors.Join(fmt.Errorf("write run %d: %w", number, err), files.RemoveAll(path))
	}
	return size, nil
}

// place is where a blob lies.
type place struct {
	blob uint32
	size int
}

// openRun opens a run's segment. Its columns are read when they are first asked for.
func (ix *index) openRun(number uint64) (*segment.Segment, error) {
	if !ix.s.gate.again() {
		return nil, store.ErrClosed
	}
	defer ix.s.gate.leave()
	list, err := get(ix.s.db, appendPieceKey(nil, ix.uuid, number, directory, 0))
	if err != nil {
		return nil, err
	}
	if list == nil {
		return nil, fmt.Errorf("run %d is missing", number)
	}
	places := map[string]place{}
	r := reader{b: list}
	for blob := uint32(0); len(r.b) > 0; blob++ {
		name := string(r.bytes())
		places[name] = place{blob, int(r.uint())}
	}
	if r.err != nil {
		return nil, fmt.Errorf("run %d: %w", number, r.err)
	}
	return segment.Open(func(name string) ([]byte, error) {
		p, ok := places[name]
		if !ok {
			return nil, fmt.Errorf("run %d has no blob %q", number, name)
		}
		return ix.readBlob(number, p)
	})
}

func (ix *index) readBlob(number uint64, p place) ([]byte, error) {
	if !ix.s.gate.again() {
		return nil, store.ErrClosed
	}
	defer ix.s.gate.leave()
	b := make([]byte, 0, p.size)
	var key []byte
	for piece := uint32(0); piece == 0 || len(b) < p.size; piece++ {
		key = appendPieceKey(key[:0], ix.uuid, number, p.blob, piece)
		v, closer, err := ix.s.db.Get(key)
		if err != nil {
			return nil, fmt.Errorf("run %d, blob %d, piece %d: %w", number, p.blob, piece, err)
		}
		b = append(b, v...)
		if err := closer.Close(); err != nil {
			return nil, err
		}
	}
	return b, nil
}
