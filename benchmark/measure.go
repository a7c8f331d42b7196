package main

import (
	"math"
	"slices"
	"sync"
	"time"
)

// A trial is one timed run of one workload on one engine.
type trial struct {
	Engine, Workload string
	Clients          int
	P50, P95, P99    float64 // milliseconds
	PerSecond        float64
}

// measure sends n requests a client over persistent connections. Answers are kept and
// checked when all clients are done: a check beside a timed request would cost it time.
func measure(e *engine, w workload, clients, n, offset int) (trial, error) {
	type client struct {
		requests []request
		answers  [][]byte
		times    []float64
		err      error
	}
	all := make([]client, clients)
	for c := range all {
		cl := &all[c]
		cl.requests, cl.answers, cl.times = make([]request, n), make([][]byte, n), make([]float64, n)
		for i := range cl.requests {
			cl.requests[i] = w.make(offset + c*n + i)
		}
	}
	var group sync.WaitGroup
	start := time.Now()
	for c := range all {
		group.Go(func() {
			cl := &all[c]
			for i, r := range cl.requests {
				var body []byte
				if r.Body != "" {
					body = []byte(r.Body)
				}
				at := time.Now()
				cl.answers[i], cl.err = e.call(r.Method, r.Path, "application/json", body)
				cl.times[i] = float64(time.Since(at).Nanoseconds()) / 1e6
				if cl.err != nil {
					return
				}
			}
		})
	}
	group.Wait()
	elapsed := time.Since(start).Seconds()
	var times []float64
	for _, cl := range all {
		if cl.err != nil {
			return trial{}, cl.err
		}
		for i, r := range cl.requests {
			if r.check == nil {
				continue
			}
			if err := r.check(cl.answers[i]); err != nil {
				return trial{}, err
			}
		}
		times = append(times, cl.times...)
	}
	slices.Sort(times)
	return trial{Engine: e.Name, Workload: w.Name, Clients: clients,
		P50: quantile(times, .5), P95: quantile(times, .95), P99: quantile(times, .99),
		PerSecond: float64(len(times)) / elapsed}, nil
}

// quantile takes the nearest rank of sorted values.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(len(sorted)-1, int(math.Ceil(q*float64(len(sorted))))-1)]
}

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return quantile(v, .5)
}
