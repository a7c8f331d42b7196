package main

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"postern/benchmark/report"
)

func machine() report.Machine {
	m := report.Machine{OS: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(), Go: runtime.Version(), CPU: "unknown"}
	m.CPU = field("/proc/cpuinfo", "model name", m.CPU)
	kb, _, _ := strings.Cut(field("/proc/meminfo", "MemTotal", "0 kB"), " ")
	if n, err := strconv.ParseInt(kb, 10, 64); err == nil {
		m.MemoryMiB = n / 1024
	}
	return m
}

// field reads the first "name: value" of a file below /proc.
func field(path, name, otherwise string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return otherwise
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return otherwise
}

// revision asks git for what is measured.
func revision() (name string, dirty bool) {
	out, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "unknown", true
	}
	changes, err := exec.Command("git", "status", "--porcelain").Output()
	return strings.TrimSpace(string(out)), err != nil || len(changes) > 0
}
