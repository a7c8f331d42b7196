// Package cache keeps encoded answers of searches: in the fence, where all gateways find
// them, and the last ones in this process, so that they need not come over the network.
//
// An answer is served only if the fence says, after the request has arrived, that nothing
// which it depends on has been written since it was made, and that nothing is being written
// (DESIGN §9). One lookup says so for both levels.
package cache

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/s2"

	"postern/internal/fence"
)

const (
	// maxEntry is above the largest answer that is kept, in bytes.
	maxEntry = 1 << 20
	// compressFrom is from where on an answer is kept compressed.
	compressFrom = 4 << 10
	// publishTimeout bounds the round trip that keeps an answer, which nobody waits for.
	publishTimeout = 2 * time.Second
)

// Cache is safe for concurrent use.
type Cache struct {
	fence fence.Fence
	// budget bounds the answers in this process, in bytes.
	budget int

	mu     sync.Mutex
	recent *list.List // of *kept, the last used first
	byKey  map[string]*list.Element
	held   int

	hits, misses, refused atomic.Int64
	publishing            sync.WaitGroup
}

type kept struct {
	key    string
	vector fence.Vector
	answer []byte
}

// New makes a cache over a fence.
func New(f fence.Fence, budget int) *Cache {
	return &Cache{fence: f, budget: budget, recent: list.New(), byKey: map[string]*list.Element{}}
}

// Lookup is the fence's, with the answer that is kept under the key and true now, if there is
// one. It is one round trip.
func (c *Cache) Lookup(ctx context.Context, key string, indices []string) (found fence.Found, answer []byte, err error) {
	mine := c.get(key)
	ask := key
	if mine != nil {
		ask = "" // the entry need not come
	}
	if found, err = c.fence.Lookup(ctx, ask, indices); err != nil {
		return found, nil, err
	}
	switch {
	case !found.Quiet:
		c.refused.Add(1)
	case mine != nil && mine.vector.Equal(found.Vector):
		c.hits.Add(1)
		return found, mine.answer, nil
	case found.Entry != nil:
		if answer, err := unpack(found.Entry); err == nil {
			c.hits.Add(1)
			c.put(key, found.Vector, answer)
			return found, answer, nil
		}
		c.misses.Add(1)
	default:
		c.misses.Add(1)
	}
	return found, nil, nil
}

// Keep keeps an answer that was made after Lookup found what is given, if that is still so.
// It returns at once.
func (c *Cache) Keep(ctx context.Context, key string, found fence.Found, answer []byte) {
	if !found.Quiet || len(answer) > maxEntry {
		return
	}
	ctx = context.WithoutCancel(ctx)
	c.publishing.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, publishTimeout)
		defer cancel()
		if stored, err := c.fence.Publish(ctx, key, found, pack(answer)); err == nil && stored {
			c.put(key, found.Vector, answer)
		}
	})
}

// Clear drops all answers, here and in the fence. What another gateway has in memory it still
// serves while it is true.
func (c *Cache) Clear(ctx context.Context) error {
	c.mu.Lock()
	for c.recent.Len() > 0 {
		c.drop(c.recent.Back())
	}
	c.mu.Unlock()
	_, err := c.fence.Clear(ctx)
	return fence.ClientError(err)
}

// Wait waits for answers that are being kept.
func (c *Cache) Wait() { c.publishing.Wait() }

// Counts are the answers served, those not found, and the requests during which something
// was being written.
func (c *Cache) Counts() (hits, misses, refused int64) {
	return c.hits.Load(), c.misses.Load(), c.refused.Load()
}

func (c *Cache) get(key string) *kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(*kept)
}

func (c *Cache) put(key string, v fence.Vector, answer []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		c.drop(e)
	}
	c.byKey[key] = c.recent.PushFront(&kept{key, v, answer})
	c.held += len(key) + len(answer)
	for c.held > c.budget && c.recent.Len() > 0 {
		c.drop(c.recent.Back())
	}
}

func (c *Cache) drop(e *list.Element) {
	k := c.recent.Remove(e).(*kept)
	delete(c.byKey, k.key)
	c.held -= len(k.key) + len(k.answer)
}

// The first byte of an entry tells its form.
const (
	plain byte = iota
	compressed
)

func pack(answer []byte) []byte {
	if len(answer) >= compressFrom {
		return append([]byte{compressed}, s2.Encode(nil, answer)...)
	}
	return append([]byte{plain}, answer...)
}

func unpack(entry []byte) ([]byte, error) {
	if len(entry) > 0 && entry[0] == plain {
		return entry[1:], nil
	}
	if len(entry) == 0 || entry[0] != compressed {
		return nil, s2.ErrCorrupt
	}
	n, err := s2.DecodedLen(entry[1:])
	if err != nil || n > maxEntry {
		return nil, s2.ErrCorrupt
	}
	return s2.Decode(nil, entry[1:])
}
