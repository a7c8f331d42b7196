package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"

	"postern/benchmark/corpus"
	"postern/benchmark/load"
	"postern/benchmark/report"
	"postern/benchmark/workload"
)

// The indices that a run creates and removes: nobody writes to the first one while it is
// asked, so that a write's cost to other questions stays out of them.
const (
	readIndex  = "postern-benchmark"
	writeIndex = "postern-benchmark-writes"
)

// A runner measures engines by one plan.
type runner struct {
	engines    []*engine
	corpus     corpus.Corpus
	sets       []set
	trials     int
	operations int
	warmup     int // operations before the first trial of a question
	clients    []int
	seed       uint64
	settle     time.Duration
	bar        *progressbar.ProgressBar
	report     report.Run
	// abba says that the two engines are one server's data behind a switch that is off in the
	// first and on in the second: they are asked off, on, on, off, and never the same.
	abba bool
	// unique counts, by workload, the steps that were given out: cold requests never repeat.
	unique map[string]int
}

// A set is the workloads of one profile.
type set struct {
	profile   string
	index     string
	workloads []workload.Workload
}

// run measures memory, ingest, every set, and starts. The order of engines is drawn anew for
// every trial from the seed.
func (r *runner) run(ctx context.Context) error {
	r.unique = map[string]int{}
	order := rand.New(rand.NewPCG(r.seed, 2))
	draw := func() []int {
		if r.abba {
			return []int{0, 1, 1, 0}
		}
		return order.Perm(len(r.engines))
	}
	for _, e := range r.engines {
		r.report.Memory = append(r.report.Memory, report.Memory{Engine: e.Name, IdleMiB: residentMiB(e.pids())})
	}
	if err := r.null(ctx); err != nil {
		return err
	}
	if err := r.ingest(order); err != nil {
		return err
	}
	for _, s := range r.sets {
		for _, clients := range r.clients {
			for _, w := range s.workloads {
				if err := r.trialsOf(s.profile, w, clients, draw); err != nil {
					return err
				}
			}
		}
	}
	if err := r.starts(ctx); err != nil {
		return err
	}
	for _, e := range r.loaded() {
		for _, index := range []string{readIndex, writeIndex} {
			_, _ = e.call("DELETE", "/"+index, "", nil) // the second is there only if a set writes
		}
	}
	return nil
}

func (r *runner) null(ctx context.Context) error {
	address, stop, err := startNull(ctx)
	if err != nil {
		return fmt.Errorf("null server: %w", err)
	}
	defer stop()
	null := &engine{Name: "null", Address: address, Version: "fiber, 4 kB"}
	for _, clients := range r.clients {
		for t := -1; t < r.trials; t++ {
			if err := r.trial(null, "null", nullWorkload(), clients, t, r.operations, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// loaded are the engines with documents of their own.
func (r *runner) loaded() []*engine {
	if r.abba {
		return r.engines[:1]
	}
	return r.engines
}

// ingest loads every engine once more than there are trials: the first load warms it up.
func (r *runner) ingest(order *rand.Rand) error {
	writes := false
	for _, s := range r.sets {
		writes = writes || s.index == writeIndex
	}
	for t := -1; t < r.trials; t++ {
		for _, i := range order.Perm(len(r.loaded())) {
			e := r.engines[i]
			r.bar.Describe(fmt.Sprintf("%-24s %s", "ingest", e.Name))
			took, err := e.load(readIndex, r.corpus, func() { _ = r.bar.Add(1) })
			if err != nil {
				return err
			}
			if t >= 0 {
				r.report.Loads = append(r.report.Loads, report.Load{Engine: e.Name, Trial: t, PerSecond: float64(r.corpus.Len()) / took.Seconds()})
			}
		}
	}
	time.Sleep(r.settle)
	for i, e := range r.engines {
		r.report.Memory[i].Loaded = residentMiB(e.pids())
	}
	if !writes {
		return nil
	}
	for _, e := range r.loaded() {
		if _, err := e.load(writeIndex, r.corpus, func() { _ = r.bar.Add(1) }); err != nil {
			return err
		}
	}
	return nil
}

// trialsOf asks one workload of every engine, once more than there are trials: the first
// time warms up, and is checked but not kept. Every engine gets the same requests.
func (r *runner) trialsOf(profile string, w workload.Workload, clients int, draw func() []int) error {
	for t := -1; t < r.trials; t++ {
		operations := r.operations
		if t < 0 {
			operations = r.warmup
		}
		offset := -1
		for _, i := range draw() {
			if offset < 0 || r.abba { // what one side of a switch was asked could help the other
				offset = r.unique[w.Name] + 1 // step 0 is the warm one
				r.unique[w.Name] += operations + clients
			}
			if err := r.trial(r.engines[i], profile, w, clients, t, operations, offset); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *runner) trial(e *engine, profile string, w workload.Workload, clients, trial, operations, offset int) error {
	r.bar.Describe(fmt.Sprintf("%-24.24s %s, %d", w.Name, e.Name, clients))
	pids := e.pids()
	used, stop := processorSeconds(pids), watch(pids)
	timing, err := load.Run(load.Plan{Address: e.Address, Workload: w, Clients: clients, Operations: operations, Trial: trial + 1 + 1000*clients, Offset: offset})
	peak, spent := stop(), processorSeconds(pids)-used
	_ = r.bar.Add(1)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	if trial < 0 {
		return nil
	}
	for _, class := range slices.Sorted(maps.Keys(timing.Times)) {
		r.report.Trials = append(r.report.Trials, report.NewTrial(report.Trial{
			Engine: e.Name, Profile: profile, Workload: w.Name, Class: class, Clients: clients, Trial: trial,
			PerSecond: timing.PerSecond, Requests: timing.Requests, LoadCPU: timing.CPU,
			CPU: 1000 * spent / float64(operations), PeakMiB: peak,
		}, timing.Times[class]))
	}
	return nil
}

// starts kills every engine that this program has started, and times its return.
func (r *runner) starts(ctx context.Context) error {
	for _, e := range r.engines {
		if len(e.running) == 0 || r.abba {
			continue
		}
		r.bar.Describe(fmt.Sprintf("%-24s %s", "start", e.Name))
		took, err := e.restart(ctx, func() error { return e.count(readIndex, r.corpus.Len()) })
		if err != nil {
			return errors.Join(errors.New("restart"), err)
		}
		r.report.Starts = append(r.report.Starts, report.Start{Engine: e.Name, Seconds: took.Seconds()})
	}
	return nil
}

// steps is how often the progress bar moves.
func (r *runner) steps() int {
	bulks := (r.corpus.Len() + 999) / 1000
	n, asked := len(r.clients)*(r.trials+1)+len(r.loaded())*bulks*(r.trials+1), len(r.engines)
	if r.abba {
		asked = 4
	}
	for _, s := range r.sets {
		n += len(s.workloads) * len(r.clients) * (r.trials + 1) * asked
		if s.index == writeIndex {
			n += len(r.loaded()) * bulks
		}
	}
	return n
}
