// Package readers keeps what stays open between requests, scrolls and points in time, for
// as long as their clients ask, and ends what they leave behind.
package readers

import (
	"crypto/rand"
	"sync"
	"time"

	"postern/internal/eserr"
)

// Reader is what an open context holds.
type Reader interface {
	// Indices lists the uuids of the indices that it reads.
	Indices() []string
	// Release gives back what it holds. It is called once, when nobody uses the reader.
	Release()
}

// Contexts are the open contexts of a gateway. They are safe for concurrent use.
type Contexts struct {
	session session
	// maxScrolls bounds the indices that are open for scrolls.
	maxScrolls int

	mu      sync.Mutex
	last    uint64
	open    map[uint64]*context
	scrolls int // indices open for scrolls, and reserved
}

// context is one reader with the time it has left. The mutex of Contexts guards it.
type context struct {
	name   name
	reader Reader
	scroll int // what it counts among the scrolls
	keep   time.Duration
	timer  *time.Timer
	users  int
	closed bool
}

// MaxScrolls is Elasticsearch's search.max_open_scroll_context.
const MaxScrolls = 500

// New makes an empty set of contexts.
func New(maxScrolls int) *Contexts {
	c := &Contexts{maxScrolls: maxScrolls, open: make(map[uint64]*context)}
	rand.Read(c.session[:])
	return c
}

// Open opens a context over a number of indices, unless there are too many, and gives its
// id. It is closed when it has not been used for the time given.
func (c *Contexts) Open(kind Kind, indices int, keep time.Duration, open func() (Reader, error)) (string, error) {
	scroll := 0
	if kind == Scroll {
		scroll = indices
		if err := c.reserve(scroll); err != nil {
			return "", err
		}
	}
	r, err := open()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.scrolls -= scroll
		return "", err
	}
	c.last++
	x := &context{name: name{kind, c.session, c.last}, reader: r, scroll: scroll, keep: keep}
	c.open[c.last] = x
	x.timer = time.AfterFunc(max(keep, 0), func() { c.expire(x) })
	return x.name.String(), nil
}

func (c *Contexts) reserve(indices int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.scrolls+indices > c.maxScrolls {
		return eserr.TooManyScrolls(c.maxScrolls)
	}
	c.scrolls += indices
	return nil
}

// Use gives the reader of an id, and what is to be called when it has been used. A keep
// other than nil is how long it is kept open after that.
func (c *Contexts) Use(kind Kind, id string, keep *time.Duration) (Reader, func(), error) {
	n, err := parse(kind, id)
	if err != nil {
		return nil, nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.open[n.number]
	if x == nil || x.name != n {
		return nil, nil, eserr.ContextMissing(n.number)
	}
	if keep != nil {
		x.keep = *keep
	}
	x.timer.Stop()
	x.users++
	return x.reader, func() { c.leave(x) }, nil
}

// leave ends one use.
func (c *Contexts) leave(x *context) {
	c.mu.Lock()
	x.users--
	idle := x.users == 0
	closed := x.closed
	if idle && !closed {
		x.timer.Reset(max(x.keep, 0))
	}
	c.mu.Unlock()
	if idle && closed {
		x.reader.Release()
	}
}

func (c *Contexts) expire(x *context) {
	c.mu.Lock()
	used := x.users > 0
	c.mu.Unlock()
	if !used {
		c.close(x)
	}
}

// close takes a context away, and reports whether it was open. Those who use it may still
// do so to the end.
func (c *Contexts) close(x *context) bool {
	c.mu.Lock()
	if x == nil || x.closed {
		c.mu.Unlock()
		return false
	}
	x.closed = true
	x.timer.Stop()
	delete(c.open, x.name.number)
	c.scrolls -= x.scroll
	idle := x.users == 0
	c.mu.Unlock()
	if idle {
		x.reader.Release()
	}
	return true
}

// Close closes what ids name and counts the indices that were open. Unless all ids can be
// read nothing is closed.
func (c *Contexts) Close(kind Kind, ids ...string) (freed int, err error) {
	names := make([]name, len(ids))
	for i, id := range ids {
		if names[i], err = parse(kind, id); err != nil {
			return 0, err
		}
	}
	return c.closeAll(func(x *context) bool {
		for _, n := range names {
			if x.name == n {
				return true
			}
		}
		return false
	}), nil
}

// CloseAll closes all of a kind and counts the indices that were open.
func (c *Contexts) CloseAll(kind Kind) int {
	return c.closeAll(func(x *context) bool { return x.name.kind == kind })
}

// CloseIndex closes what reads an index, which is no more.
func (c *Contexts) CloseIndex(uuid string) {
	c.closeAll(func(x *context) bool {
		for _, u := range x.reader.Indices() {
			if u == uuid && x.name.kind == Scroll {
				return true
			}
		}
		return false
	})
}

func (c *Contexts) closeAll(these func(*context) bool) (freed int) {
	c.mu.Lock()
	var list []*context
	for _, x := range c.open {
		if these(x) {
			list = append(list, x)
		}
	}
	c.mu.Unlock()
	for _, x := range list {
		if n := len(x.reader.Indices()); c.close(x) {
			freed += n
		}
	}
	return freed
}

// Count counts the indices that are open for a kind.
func (c *Contexts) Count(kind Kind) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.open {
		if x.name.kind == kind {
			n += len(x.reader.Indices())
		}
	}
	return n
}
