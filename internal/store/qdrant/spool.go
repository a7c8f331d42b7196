package qdrant

import (
	"bufio"
	"fmt"
	"os"
	"slices"

	pb "github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"

	"postern/internal/store"
)

// spool keeps points on disk, in the order of _seq_no. Its file has no name any more, so
// that it goes with the process.
type spool struct {
	file *os.File
	out  *bufio.Writer
	buf  []byte
	// seqs are the points', ends where they end in the file.
	seqs, ends []int64
}

func newSpool(folder string) (*spool, error) {
	f, err := os.CreateTemp(folder, "postern-snapshot-*")
	if err != nil {
		return nil, fmt.Errorf("the sources of a snapshot have no place: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, err
	}
	return &spool{file: f, out: bufio.NewWriterSize(f, 1<<16)}, nil
}

func (s *spool) add(seq int64, p *pb.RetrievedPoint) error {
	var err error
	if s.buf, err = (proto.MarshalOptions{}).MarshalAppend(s.buf[:0], p); err != nil {
		return err
	}
	end := int64(len(s.buf))
	if n := len(s.ends); n > 0 {
		end += s.ends[n-1]
	}
	s.seqs, s.ends = append(s.seqs, seq), append(s.ends, end)
	_, err = s.out.Write(s.buf)
	return err
}

// finish writes out what is buffered; the spool can then be read.
func (s *spool) finish() error { return s.out.Flush() }

// read gives back a point.
func (s *spool) read(seq int64) (store.Stored, error) {
	i, found := slices.BinarySearch(s.seqs, seq)
	if !found {
		return store.Stored{}, nil
	}
	from := int64(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	b := make([]byte, s.ends[i]-from)
	if _, err := s.file.ReadAt(b, from); err != nil {
		return store.Stored{}, fmt.Errorf("the sources of a snapshot: %w", err)
	}
	var p pb.RetrievedPoint
	if err := proto.Unmarshal(b, &p); err != nil {
		return store.Stored{}, err
	}
	r, err := readRecord(&p)
	return r.Stored, err
}

func (s *spool) remove() { s.file.Close() } // it has been read, and nothing else will be
