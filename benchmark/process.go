package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// listener finds the process that listens at an address of this machine; 0 if it can't be
// told.
func listener(address string) int {
	out, err := exec.Command("ss", "-ltnpH", "sport = :"+address[strings.LastIndex(address, ":")+1:]).Output()
	if err != nil {
		return 0
	}
	_, rest, found := strings.Cut(string(out), "pid=")
	if !found {
		return 0
	}
	text, _, _ := strings.Cut(rest, ",")
	pid, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return pid
}

// residentMiB sums the resident memory of processes.
func residentMiB(pids []int) float64 {
	sum := 0.0
	for _, pid := range pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(status)) {
			if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				if n, err := strconv.Atoi(strings.Fields(kb)[0]); err == nil {
					sum += float64(n) / 1024
				}
			}
		}
	}
	return sum
}

// ticksPerSecond is USER_HZ, which is 100 on every Linux that Go runs on.
const ticksPerSecond = 100

// processorSeconds sums the processor time of processes.
func processorSeconds(pids []int) float64 {
	ticks := 0
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		_, after, ok := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after)
		if !ok || len(fields) < 13 {
			continue
		}
		for _, f := range fields[11:13] { // utime and stime, proc(5)
			if n, err := strconv.Atoi(f); err == nil {
				ticks += n
			}
		}
	}
	return float64(ticks) / ticksPerSecond
}

// watch samples the resident memory of processes until stop is called, which returns the
// largest.
func watch(pids []int) (stop func() float64) {
	var peak float64
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			peak = max(peak, residentMiB(pids))
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	})
	return func() float64 {
		close(done)
		group.Wait()
		return peak
	}
}
