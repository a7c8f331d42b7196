package readers_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"postern/internal/eserr"
	"postern/internal/readers"
)

// reader counts how often it was released.
type reader struct {
	indices  []string
	released atomic.Int32
}

func (r *reader) Indices() []string { return r.indices }
func (r *reader) Release()          { r.released.Add(1) }

func open(t *testing.T, c *readers.Contexts, kind readers.Kind, keep time.Duration, r *reader) string {
	t.Helper()
	id, err := c.Open(kind, len(r.indices), keep, func() (readers.Reader, error) { return r, nil })
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func isMissing(err error) bool {
	e, ok := eserr.As(err)
	return ok && e.Status == 404 && strings.Contains(string(e.AppendJSON(nil)), "search_context_missing_exception")
}

func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := readers.New(500)
		r := &reader{indices: []string{"u"}}
		id := open(t, c, readers.Scroll, time.Minute, r)
		time.Sleep(50 * time.Second)
		_, done, err := c.Use(readers.Scroll, id, nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour) // a page may take longer than the scroll is kept
		done()
		time.Sleep(59 * time.Second)
		longer := time.Hour
		if _, done, err = c.Use(readers.Scroll, id, &longer); err != nil {
			t.Fatal("the minute begins anew with each page:", err)
		}
		done()
		time.Sleep(59 * time.Minute)
		if r.released.Load() != 0 || c.Count(readers.Scroll) != 1 {
			t.Fatal("released within its hour")
		}
		time.Sleep(2 * time.Minute)
		if r.released.Load() != 1 || c.Count(readers.Scroll) != 0 {
			t.Fatal("not released after its hour")
		}
		if _, _, err := c.Use(readers.Scroll, id, nil); !isMissing(err) {
			t.Fatal(err)
		}
	})
}

func TestTooManyScrolls(t *testing.T) {
	c := readers.New(3)
	two := &reader{indices: []string{"u", "v"}}
	id := open(t, c, readers.Scroll, time.Minute, two)
	opened := false
	_, err := c.Open(readers.Scroll, 2, time.Minute, func() (readers.Reader, error) { opened = true; return two, nil })
	if e, ok := eserr.As(err); !ok || e.Status != 429 || opened {
		t.Fatalf("%v, opened %v", err, opened)
	}
	failed := errors.New("failed")
	if _, err := c.Open(readers.Scroll, 1, time.Minute, func() (readers.Reader, error) { return nil, failed }); err != failed {
		t.Fatal(err)
	}
	open(t, c, readers.Scroll, time.Minute, &reader{indices: []string{"w"}})
	for range 100 {
		open(t, c, readers.PointInTime, time.Minute, &reader{indices: []string{"u"}}) // which have no such limit
	}
	if n, err := c.Close(readers.Scroll, id, id); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	open(t, c, readers.Scroll, time.Minute, &reader{indices: []string{"u", "v"}})
	if n := c.CloseAll(readers.Scroll); n != 3 {
		t.Fatal(n)
	}
}

func TestIDs(t *testing.T) {
	c, other := readers.New(500), readers.New(500)
	id := open(t, c, readers.Scroll, time.Minute, &reader{indices: []string{"u"}})
	if _, _, err := other.Use(readers.Scroll, id, nil); !isMissing(err) {
		t.Error("the id of another process:", err)
	}
	for _, bad := range []string{"", "x", "AXN", id[:len(id)-4], id + "AAAA"} {
		if _, _, err := c.Use(readers.Scroll, bad, nil); err == nil || isMissing(err) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, _, err := c.Use(readers.PointInTime, id, nil); err == nil || isMissing(err) {
		t.Error("a scroll as a point in time:", err)
	}
	if n, err := c.Close(readers.Scroll, id, "x"); n != 0 || err == nil {
		t.Error("closed", n, "beside an id that can't be read:", err)
	}
}

func TestClosedWhileUsed(t *testing.T) {
	c := readers.New(500)
	r := &reader{indices: []string{"u"}}
	id := open(t, c, readers.Scroll, time.Minute, r)
	_, done, err := c.Use(readers.Scroll, id, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.CloseIndex("u")
	if r.released.Load() != 0 {
		t.Error("released while used")
	}
	done()
	if r.released.Load() != 1 {
		t.Error("not released after its use")
	}
}

func TestReleasedOnceUnderLoad(t *testing.T) {
	c := readers.New(1 << 20)
	var all [64]reader
	var group sync.WaitGroup
	for i := range all {
		all[i].indices = []string{"u"}
		id := open(t, c, readers.Scroll, time.Duration(i)*100*time.Microsecond, &all[i])
		for range 4 {
			group.Go(func() {
				for range 50 {
					if _, done, err := c.Use(readers.Scroll, id, nil); err == nil {
						if all[i].released.Load() != 0 {
							t.Error("used after its release")
						}
						done()
					}
				}
			})
		}
		group.Go(func() { c.Close(readers.Scroll, id) })
	}
	group.Wait()
	for i := range all {
		if n := all[i].released.Load(); n != 1 {
			t.Errorf("released %d times", n)
		}
	}
}
