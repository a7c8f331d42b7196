package main

import (
	"math"
	"slices"
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
// checked after the clock has stopped.
func measure(e *engine, w workload, clients, n, offset int) (trial, error) {
	type outcome struct {
		times []float64
		err   error
	}
	outcomes := make(chan outcome, clients)
	start := time.Now()
	for c := range clients {
		go func() {
			requests := make([]request, n)
			for i := range requests {
				requests[i] = w.make(offset + c*n + i)
			}
			answers, times := make([][]byte, n), make([]float64, n)
			for i, r := range requests {
				var body []byte
				if r.Body != "" {
					body = []byte(r.Body)
				}
				at := time.Now()
				answer, err := e.call(r.Method, r.Path, "application/json", body)
				times[i] = float64(time.Since(at).Nanoseconds()) / 1e6
				if err != nil {
					outcomes <- outcome{err: err}
					return
				}
				answers[i] = answer
			}
			for i, r := range requests {
				if r.check == nil {
					continue
				}
				if err := r.check(answers[i]); err != nil {
					outcomes <- outcome{err: err}
					return
				}
			}
			outcomes <- outcome{times: times}
		}()
	}
	var all []float64
	for range clients {
		o := <-outcomes
		if o.err != nil {
			return trial{}, o.err
		}
		all = append(all, o.times...)
	}
	elapsed := time.Since(start).Seconds()
	slices.Sort(all)
	return trial{Engine: e.Name, Workload: w.Name, Clients: clients,
		P50: quantile(all, .5), P95: quantile(all, .95), P99: quantile(all, .99),
		PerSecond: float64(len(all)) / elapsed}, nil
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
