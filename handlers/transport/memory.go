package transport

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// MemoryLimit is the memory that the process may use: GOMEMLIMIT, the control group's
// limit or the machine's memory, whichever is least; 0 when nothing of it is known.
func MemoryLimit() int64 {
	limit := int64(math.MaxInt64)
	if l := debug.SetMemoryLimit(-1); l > 0 {
		limit = min(limit, l)
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if b, err := os.ReadFile(file); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && n > 0 {
				limit = min(limit, n)
			}
		}
	}
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
				if n, err := strconv.ParseInt(f[1], 10, 64); err == nil {
					limit = min(limit, n<<10)
				}
			}
		}
	}
	if limit == math.MaxInt64 {
		return 0
	}
	return limit
}
