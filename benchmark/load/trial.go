package load

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"postern/benchmark/workload"
)

// A Plan is one trial: a workload asked of one engine.
type Plan struct {
	Address  string
	Workload workload.Workload
	// Clients send at the same time, each over its own connection; Operations is how many
	// all of them send together.
	Clients, Operations int
	Trial               int
	// Offset is the first Unique of the trial's steps.
	Offset int
}

// A Timing is what a trial took.
type Timing struct {
	// Times are milliseconds an operation, by class; the class is empty where a workload has
	// but one.
	Times map[string][]float64
	// PerSecond counts the operations of all classes.
	PerSecond float64
	// CPU is what the load generator used, in seconds a second: near the number of cores it
	// would be the bottleneck itself.
	CPU float64
	// Requests is a hash of everything that was sent, in order.
	Requests string
}

// Run sends the plan's operations and then checks every answer. Requests are made before,
// and answers are checked after the timed span; nothing is collected amid it.
func Run(p Plan) (Timing, error) {
	type client struct {
		connection *Connection
		steps      []workload.Step
		ops        []workload.Op
		answers    [][][]byte
		times      []float64
		err        error
	}
	all := make([]client, p.Clients)
	each := (p.Operations + p.Clients - 1) / p.Clients
	for c := range all {
		cl := &all[c]
		connection, err := Dial(p.Address)
		if err != nil {
			return Timing{}, err
		}
		defer connection.Close()
		cl.connection, cl.times = connection, make([]float64, each)
		for n := range each {
			step := workload.Step{Trial: p.Trial, Client: c, N: n, Unique: p.Offset + c*each + n}
			op := p.Workload.Make(step)
			cl.steps, cl.ops, cl.answers = append(cl.steps, step), append(cl.ops, op), append(cl.answers, make([][]byte, len(op)))
		}
	}
	requests := fnv.New128a()
	for _, cl := range all {
		for _, op := range cl.ops {
			for _, r := range op {
				fmt.Fprintf(requests, "%s %s\n%s\n", r.Method, r.Path, r.Body)
			}
		}
	}
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	used := cpu()
	start := time.Now()
	var group sync.WaitGroup
	for c := range all {
		group.Go(func() {
			cl := &all[c]
			for i, op := range cl.ops {
				at := time.Now()
				for k, r := range op {
					if cl.answers[i][k], cl.err = cl.connection.Send(nil, r); cl.err != nil {
						return
					}
				}
				cl.times[i] = float64(time.Since(at).Nanoseconds()) / 1e6
			}
		})
	}
	group.Wait()
	elapsed := time.Since(start).Seconds()
	t := Timing{Times: map[string][]float64{}, PerSecond: float64(each*p.Clients) / elapsed, CPU: (cpu() - used) / elapsed, Requests: hex.EncodeToString(requests.Sum(nil))}
	for _, cl := range all {
		if cl.err != nil {
			return Timing{}, fmt.Errorf("%s: %w", p.Workload.Name, cl.err)
		}
		for i, op := range cl.ops {
			for k, r := range op {
				if err := r.Check(cl.answers[i][k]); err != nil {
					return Timing{}, fmt.Errorf("%s: wrong answer: %w", p.Workload.Name, err)
				}
			}
			class := ""
			if p.Workload.Class != nil {
				class = p.Workload.Class(cl.steps[i])
			}
			t.Times[class] = append(t.Times[class], cl.times[i])
		}
	}
	return t, nil
}
