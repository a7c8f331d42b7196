package qdrant

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"sync"
	"sync/atomic"

	"postern/internal/segment"
	"postern/internal/store"
)

// snapshot is what one scan has read.
type snapshot struct {
	s     *Store
	uuid  string
	parts []segment.Part
	// spool has the sources of a snapshot that is held for long; else they are read when
	// they are asked for.
	spool *spool
	// gathered tells that it took several calls, between which others could write.
	gathered bool
	// kept are the documents of a page, which were read with it.
	kept map[int64]store.Stored

	released atomic.Bool
	once     sync.Once
	id       string
}

var (
	_ store.Snapshot = (*snapshot)(nil)
	_ store.Gathered = (*snapshot)(nil)
)

// Gathered tells that the documents may be of adjacent moments; see store.Gathered.
func (s *snapshot) Gathered() bool { return s.gathered }

func (s *snapshot) Parts() []segment.Part { return s.parts }

// ID is a digest of the writes that are seen: they tell what there is.
func (s *snapshot) ID() string {
	s.once.Do(func() {
		h := sha256.New()
		h.Write([]byte(s.uuid))
		for _, p := range s.parts {
			digest(h, p)
		}
		s.id = base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:18])
	})
	return s.id
}

func digest(h hash.Hash, p segment.Part) {
	var b [8]byte
	for doc := range uint32(p.Len()) {
		if p.Live == nil || p.Live.Contains(doc) {
			binary.BigEndian.PutUint64(b[:], uint64(p.SeqNo(doc)))
			h.Write(b[:])
		}
	}
}

// Sources reads documents; see store.Snapshot. One that has been written or deleted since
// the scan is ErrMoved, unless the snapshot is held.
func (s *snapshot) Sources(ctx context.Context, seqNos []int64) ([]store.Stored, error) {
	leave, err := s.s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	out := make([]store.Stored, len(seqNos))
	var ids []string
	var places []int
	for i, seq := range seqNos {
		if s.kept != nil {
			out[i] = s.kept[seq]
			continue
		}
		id, found := s.find(seq)
		if !found {
			continue
		}
		if s.spool == nil {
			ids, places = append(ids, id), append(places, i)
			continue
		}
		if out[i], err = s.spool.read(seq); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	docs, err := s.s.get(ctx, s.uuid, ids)
	if err != nil {
		return nil, err
	}
	for n, i := range places {
		if docs[n].SeqNo != seqNos[i] || !docs[n].Found {
			return nil, store.ErrMoved
		}
		out[i] = docs[n]
	}
	return out, nil
}

// find is the _id of a document of the snapshot.
func (s *snapshot) find(seq int64) (id string, found bool) {
	for _, p := range s.parts {
		if doc, ok := p.Find(seq); ok && (p.Live == nil || p.Live.Contains(doc)) {
			return p.ID(doc), true
		}
	}
	return "", false
}

func (s *snapshot) Release() {
	if s.released.CompareAndSwap(false, true) && s.spool != nil {
		s.spool.remove()
	}
}

// documents counts what is seen.
func (s *snapshot) documents() int64 {
	var n int64
	for _, p := range s.parts {
		if p.Live != nil {
			n += int64(p.Live.GetCardinality())
		} else {
			n += int64(p.Len())
		}
	}
	return n
}
