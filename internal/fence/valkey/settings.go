package valkey

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// A setting that the fence's promises rest on.
type setting struct {
	name string
	ok   func(value string) bool
	want string
	why  string
}

func settings() []setting {
	is := func(want string) func(string) bool { return func(v string) bool { return v == want } }
	return []setting{
		{"appendonly", is("yes"), "yes", "an acknowledged begin must survive a crash"},
		{"appendfsync", is("always"), "always", "an acknowledged begin must survive a crash"},
		{"maxmemory-policy", is("volatile-lru"), "volatile-lru", "only answers may be evicted, never tokens"},
		{"maxmemory", func(v string) bool { n, err := strconv.ParseUint(v, 10, 64); return err == nil && n > 0 }, "a size such as 256mb", "answers must not fill the machine"},
	}
}

// checkSettings refuses a server that can't keep what the fence needs, and names the
// setting.
func (f *Fence) checkSettings(ctx context.Context) error {
	info, err := f.client.Do(ctx, f.client.B().Info().Section("server", "cluster", "replication").Build()).ToString()
	if err != nil {
		return err
	}
	if strings.Contains(info, "cluster_enabled:1") {
		return fmt.Errorf("it runs in cluster mode, which is not supported: the steps of the fence are atomic on one primary only")
	}
	if strings.Contains(info, "role:slave") {
		return fmt.Errorf("it is a replica; the fence needs the primary")
	}
	for _, s := range settings() {
		values, err := f.client.Do(ctx, f.client.B().ConfigGet().Parameter(s.name).Build()).AsStrMap()
		if err != nil {
			return fmt.Errorf("its settings cannot be read: %w", err)
		}
		if v := values[s.name]; !s.ok(v) {
			return fmt.Errorf("its setting %s is %q and has to be %s: %s", s.name, v, s.want, s.why)
		}
	}
	return nil
}
