package mutate

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"sync/atomic"
	"time"
)

// idSource makes the ids of documents that come without one: 15 bytes of time, counter
// and randomness in Elasticsearch's 20 characters. Ids of one process that follow one
// another share their beginning, which keeps their records together.
type idSource struct {
	started atomic.Uint64 // a random beginning of the counter, never 0
	count   atomic.Uint64
}

func (s *idSource) next(now time.Time) string {
	if s.started.Load() == 0 {
		var b [8]byte
		rand.Read(b[:])
		s.started.CompareAndSwap(0, binary.BigEndian.Uint64(b[:])|1)
	}
	var id [15]byte
	binary.BigEndian.PutUint64(id[:8], uint64(now.UnixMilli())<<16)
	// Six bytes of time; nine of the counter's place in a random order of the process.
	binary.BigEndian.PutUint64(id[6:14], s.started.Load()+s.count.Add(1))
	id[14] = byte(s.started.Load() >> 7)
	return base64.RawURLEncoding.EncodeToString(id[:])
}
