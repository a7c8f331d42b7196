package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"postern/benchmark/corpus"
	"postern/conformance/engines"
)

// natives are the engines that ratios are taken to.
var natives = []string{"elasticsearch", "opensearch"}

// An engine is one server under test.
type engine struct {
	Name, Address, Version string
	Native                 bool
	// cache and running belong to an engine that this program has started, with the services
	// it needs; both are empty for one that was given by its address.
	cache   string
	running []engines.Running
	client  http.Client
}

// connect makes an engine of NAME=URL, or starts the one called NAME.
func connect(ctx context.Context, spec string) (*engine, error) {
	name, address, given := strings.Cut(spec, "=")
	e := &engine{Name: name, Address: strings.TrimRight(address, "/"), client: http.Client{Timeout: 10 * time.Minute}}
	for _, n := range natives {
		e.Native = e.Native || strings.HasPrefix(name, n)
	}
	if !given {
		if err := e.up(ctx); err != nil {
			return nil, err
		}
	}
	var root struct {
		Version struct{ Number, Distribution string }
	}
	if err := e.json("GET", "/", "", &root); err != nil {
		e.close(ctx)
		return nil, err
	}
	e.Version = strings.TrimSpace(root.Version.Distribution + " " + root.Version.Number)
	return e, nil
}

// up starts the engine, and before it the services that stand in its name: postern-qdrant
// needs qdrant.
func (e *engine) up(ctx context.Context) error {
	var err error
	if e.cache, err = engines.Cache(""); err != nil {
		return err
	}
	for _, name := range append(strings.Split(e.Name, "-")[1:], e.Name) {
		kind, err := engines.Named(name)
		if err != nil {
			return err
		}
		r, err := engines.Up(ctx, kind, e.cache, 0)
		if err != nil {
			e.close(ctx)
			return err
		}
		e.running, e.Address = append(e.running, r), r.Address
	}
	return nil
}

// close stops what up has started.
func (e *engine) close(ctx context.Context) {
	for i := len(e.running) - 1; i >= 0; i-- {
		if err := engines.Down(ctx, e.cache, e.running[i].Engine); err != nil {
			fmt.Println("benchmark:", err)
		}
	}
	e.running = nil
}

// restart kills the engine and measures how long it takes to its first right answer.
func (e *engine) restart(ctx context.Context, ready func() error) (time.Duration, error) {
	last := len(e.running) - 1
	start := time.Now()
	r, err := engines.Restart(ctx, e.cache, e.Name)
	if err != nil {
		return 0, err
	}
	e.running[last] = r
	for err = ready(); err != nil; err = ready() {
		if time.Since(start) > 3*time.Minute {
			return 0, fmt.Errorf("%s does not come back: %w", e.Name, err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(start), nil
}

// pids are the processes of the engine and of its services.
func (e *engine) pids() []int {
	if len(e.running) == 0 {
		if pid := listener(e.Address); pid > 0 {
			return []int{pid}
		}
		return nil
	}
	var pids []int
	for _, r := range e.running {
		pids = append(pids, r.PID)
	}
	return pids
}

func (e *engine) call(method, path, contentType string, body []byte) ([]byte, error) {
	req, err := http.NewRequest(method, e.Address+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode > 299 {
		return nil, fmt.Errorf("%s: %s %s: %d %.300s", e.Name, method, path, resp.StatusCode, answer)
	}
	return answer, nil
}

func (e *engine) json(method, path, body string, into any) error {
	var b []byte
	if body != "" {
		b = []byte(body)
	}
	answer, err := e.call(method, path, "application/json", b)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

// load creates the index anew and writes all documents in bulks of a thousand; the time runs
// until the last document can be found.
func (e *engine) load(index string, c corpus.Corpus, step func()) (time.Duration, error) {
	_, _ = e.call("DELETE", "/"+index, "", nil) // it may not be there
	if err := e.json("PUT", "/"+index, `{"settings":{"number_of_shards":1,"number_of_replicas":0},"mappings":`+c.Mappings()+`}`, nil); err != nil {
		return 0, err
	}
	var took time.Duration
	for body := range corpus.Bulks(c, 1000) {
		start := time.Now()
		answer, err := e.call("POST", "/"+index+"/_bulk", "application/x-ndjson", body)
		took += time.Since(start)
		if err != nil {
			return 0, err
		}
		if !bytes.Contains(answer[:min(len(answer), 200)], []byte(`"errors":false`)) {
			return 0, fmt.Errorf("%s: a bulk reports errors: %.300s", e.Name, answer)
		}
		step()
	}
	start := time.Now()
	if _, err := e.call("POST", "/"+index+"/_refresh", "", nil); err != nil {
		return 0, err
	}
	took += time.Since(start)
	return took, e.count(index, c.Len())
}

func (e *engine) count(index string, want int) error {
	var got struct{ Count int }
	if err := e.json("GET", "/"+index+"/_count", "", &got); err != nil {
		return err
	}
	if got.Count != want {
		return fmt.Errorf("%s: %d documents counted, due were %d", e.Name, got.Count, want)
	}
	return nil
}
