package valkey

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"postern/internal/fence"
	"postern/internal/fence/fencetest"
)

type counter struct {
	n      atomic.Uint64
	owners []string
}

func (c *counter) Advance(_ context.Context, least uint64) (uint64, []string, error) {
	for {
		was := c.n.Load()
		next := max(was, least) + 1
		if c.n.CompareAndSwap(was, next) {
			return next, c.owners, nil
		}
	}
}

func TestSuite(t *testing.T) {
	addr := os.Getenv("VK")
	n := 0
	fencetest.Run(t, func(t *testing.T) fence.Fence {
		n++
		f, err := Open(t.Context(), Config{Address: addr, Prefix: fmt.Sprintf("t%d:%d:", time.Now().UnixNano(), n), Owner: "o", Incarnations: &counter{}, LogLines: 32})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		return f
	})
}
