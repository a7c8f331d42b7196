// Package report keeps what a benchmark has measured, and shows it.
package report

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"time"
)

// A Run is everything that one run of the benchmark has measured.
type Run struct {
	Time      time.Time
	Machine   Machine
	Revision  string // of this repository
	Dirty     bool   // whether the tree had changes that no revision holds
	Corpus    string
	Documents int
	Seed      uint64
	DataHash  string // of all sources in order
	Budget    string // the limits that the engines ran under
	Engines   []Engine
	Trials    []Trial
	Loads     []Load
	Memory    []Memory
	Starts    []Start
}

// A Machine is where a run was made.
type Machine struct {
	OS, CPU, Go string
	CPUs        int
	MemoryMiB   int64
}

// An Engine is a server under test. Ratios are to the fastest of the native ones.
type Engine struct {
	Name, Version string
	Native        bool
}

// A Trial is one timed run of one workload on one engine.
type Trial struct {
	Engine   string
	Profile  string
	Workload string
	Class    string `json:",omitempty"` // reads or writes of a mix
	Clients  int
	Trial    int

	P50, P95, P99 float64 // milliseconds
	PerSecond     float64
	Times         []float64 // milliseconds, in the order they were measured
	Requests      string    // a hash of all that was asked: the same for every engine

	// LoadCPU is what the load generator used, in cores; CPU the engine, in milliseconds an
	// operation, and PeakMiB its largest resident memory (0 where it can't be told).
	LoadCPU float64
	CPU     float64 `json:",omitempty"`
	PeakMiB float64 `json:",omitempty"`
}

// A Load is one ingest, from the first bulk until the last document can be found.
type Load struct {
	Engine    string
	Trial     int
	PerSecond float64
}

// Memory is an engine's resident memory: before documents, and ten seconds after the last.
type Memory struct {
	Engine          string
	IdleMiB, Loaded float64
}

// A Start is how long an engine took from its process's start to its first right answer.
type Start struct {
	Engine  string
	Seconds float64
}

// NewTrial fills a trial's figures from its times.
func NewTrial(t Trial, times []float64) Trial {
	t.Times = make([]float64, len(times))
	for i, v := range times {
		t.Times[i] = math.Round(v*1000) / 1000
	}
	sorted := slices.Sorted(slices.Values(t.Times))
	t.P50, t.P95, t.P99 = quantile(sorted, .5), quantile(sorted, .95), quantile(sorted, .99)
	return t
}

// Read reads a run that Write has written.
func Read(path string) (Run, error) {
	var r Run
	b, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(b, &r)
}

// Write writes the run as JSON.
func (r Run) Write(path string) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

// quantile takes the nearest rank of sorted values.
func quantile(sorted []float64, q float64) float64 {
	return sorted[max(0, min(len(sorted)-1, int(math.Ceil(q*float64(len(sorted))))-1))]
}

func median(v []float64) float64 { return quantile(slices.Sorted(slices.Values(v)), .5) }
