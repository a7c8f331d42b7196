package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// A budget is a control group that holds one engine and its services.
type budget struct {
	CPUs, MemoryMiB int
}

func (b budget) String() string {
	return fmt.Sprintf("each engine, with its services, runs within %d CPUs and %d MiB", b.CPUs, b.MemoryMiB)
}

const period = 100_000 // microseconds of a scheduling period

// apply moves the processes of an engine into a control group of their own, of version 2 or
// 1, whichever the machine lets us make. What they had before counts where it was.
func (b budget) apply(name string, pids []int) error {
	bytes := strconv.Itoa(b.MemoryMiB << 20)
	quota := strconv.Itoa(b.CPUs * period)
	group := "postern-benchmark-" + name
	v2 := []setting{
		{"/sys/fs/cgroup", "memory.max", bytes}, {"/sys/fs/cgroup", "cpu.max", quota + " " + strconv.Itoa(period)},
	}
	v1 := []setting{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", bytes}, {"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", quota},
	}
	settings := v1
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		settings = v2
	}
	for _, s := range settings {
		dir := filepath.Join(s.root, group)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, s.file), []byte(s.value), 0o644); err != nil {
			return err
		}
		for _, pid := range pids {
			if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

type setting struct{ root, file, value string }
