// Command benchmark asks the same checked questions of several engines in one run and
// prints medians of trial medians as ratios to a base engine.
//
//	benchmark --engine postern=http://127.0.0.1:9200 --engine elasticsearch=http://127.0.0.1:9201
//
// The first engine is the one under judgement, the second the base. It creates and
// removes the index "benchmark" on each.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

const index = "benchmark"

type report struct {
	Time      time.Time
	Go, OS    string
	CPUs      int
	Revision  string
	Documents int
	Seed      uint64
	Engines   []*engine
	Ingest    map[string][]float64 // documents a second, a trial each
	Resident  map[string][]float64 // MiB ten seconds after loading
	Trials    []trial
}

func main() {
	var engines []*engine
	flag.Func("engine", "NAME=URL, once an engine; the second one is the base of the ratios", func(s string) error {
		name, url, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=URL", s)
		}
		engines = append(engines, newEngine(name, url))
		return nil
	})
	n := flag.Int("documents", 10_000, "how many documents")
	trials := flag.Int("trials", 3, "trials of each workload")
	requests := flag.Int("requests", 400, "requests of a trial and client")
	clients := flag.Int("clients", 1, "concurrent clients")
	seed := flag.Uint64("seed", 1, "seed of documents, questions and order")
	out := flag.String("json", "", "write all trials to this file")
	settle := flag.Duration("settle", 10*time.Second, "wait before resident memory is read")
	flag.Parse()
	if len(engines) == 0 {
		fmt.Fprintln(os.Stderr, "benchmark: name at least one --engine NAME=URL")
		os.Exit(2)
	}
	r, err := run(engines, *n, *trials, *requests, *clients, *seed, *settle)
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
	fmt.Print(r.table())
	if *out != "" {
		b, err := json.MarshalIndent(r, "", " ")
		if err == nil {
			err = os.WriteFile(*out, append(b, '\n'), 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "benchmark:", err)
			os.Exit(1)
		}
	}
}

func run(engines []*engine, n, trials, requests, clients int, seed uint64, settle time.Duration) (*report, error) {
	r := &report{Time: time.Now().UTC(), Go: runtime.Version(), OS: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(),
		Revision: revision(), Documents: n, Seed: seed, Engines: engines,
		Ingest: map[string][]float64{}, Resident: map[string][]float64{}}
	docs := dataset(n, seed)
	order := rand.New(rand.NewPCG(seed, 2))
	for _, e := range engines {
		if err := e.identify(); err != nil {
			return nil, err
		}
	}
	for t := range trials {
		for _, i := range order.Perm(len(engines)) {
			e := engines[i]
			took, err := e.load(index, docs)
			if err != nil {
				return nil, err
			}
			if t > 0 || trials == 1 { // the first load warms the engine up
				r.Ingest[e.Name] = append(r.Ingest[e.Name], float64(n)/took.Seconds())
			}
		}
	}
	time.Sleep(settle)
	for _, e := range engines {
		r.Resident[e.Name] = append(r.Resident[e.Name], e.residentMiB())
	}
	null, err := serveNull()
	if err != nil {
		return nil, err
	}
	if t, err := measure(null, workload{"null", func(int) request { return request{Method: "GET", Path: "/"} }}, clients, requests, 0); err != nil {
		return nil, err
	} else {
		r.Trials = append(r.Trials, t)
	}
	for k, w := range workloads(index, docs, seed) {
		for t := -1; t < trials; t++ { // trial -1 warms up and is not kept
			for _, i := range order.Perm(len(engines)) {
				result, err := measure(engines[i], w, clients, requests, (k*(trials+1)+t+1)*clients*requests+1)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", w.Name, err)
				}
				if t >= 0 {
					r.Trials = append(r.Trials, result)
				}
			}
		}
	}
	for _, e := range engines {
		if _, err := e.call("DELETE", "/"+index, "", nil); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func revision() string {
	info, _ := debug.ReadBuildInfo()
	rev, dirty := "unknown", ""
	if info != nil {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				rev = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = "+dirty"
			}
		}
	}
	return rev + dirty
}
