// Package versus asks an engine and Postern the same drawn requests about the same drawn
// documents. Where the answers differ, mapping, documents and request are made as small as
// they can be with the difference still there.
package versus

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// Engines are the two that are asked; the first one is right.
type Engines struct {
	Right, Tested string // URLs
	Client        *http.Client
}

// Difference is what two engines answer otherwise, with what it takes to see that.
type Difference struct {
	World   World
	Request Request
	Right   Answer
	Tested  Answer
	What    string // the first place that differs
}

// Report is what a run has found.
type Report struct {
	Requests    int
	Answered    int // with 200
	Explained   map[string]int
	Differences []Difference
	Drawn       map[string]int // by kind
}

// Options say how much a run asks.
type Options struct {
	Seed      uint64
	Requests  int
	PerWorld  int // requests about the same documents
	MostFound int // differences after which it stops
	Progress  func(asked, found int)
}

// indexName is what the index of a run is called; it is deleted at the start of each world.
const indexName = "versus-drawn"

// Run draws until enough has been asked.
func (e *Engines) Run(ctx context.Context, o Options) (*Report, error) {
	d := &drawing{Rand: rand.New(rand.NewPCG(o.Seed, 8)), kinds: map[string]int{}}
	r := &Report{Explained: map[string]int{}, Drawn: d.kinds}
	known := map[string]bool{} // kinds of difference that have been found
	for r.Requests < o.Requests && len(r.Differences) < o.MostFound {
		w := d.world()
		if err := e.load(ctx, w); err != nil {
			return r, err
		}
		for range min(o.PerWorld, o.Requests-r.Requests) {
			q := d.request(w)
			r.Requests++
			right, tested, err := e.ask(ctx, q)
			if err != nil {
				return r, err
			}
			if right.Status == http.StatusOK {
				r.Answered++
			}
			what := differ(right, tested)
			if what == "" {
				continue
			}
			if why := explain(q, right, tested, what); why != "" {
				r.Explained[why]++
				continue
			}
			if kind := kindOf(what, q); known[kind] {
				continue
			} else {
				known[kind] = true
			}
			small, err := e.shrink(ctx, Difference{w, q, right, tested, what})
			if err != nil {
				return r, err
			}
			r.Differences = append(r.Differences, small)
			if err := e.load(ctx, w); err != nil { // shrinking has put others in their place
				return r, err
			}
			if len(r.Differences) >= o.MostFound {
				break
			}
		}
		if o.Progress != nil {
			o.Progress(r.Requests, len(r.Differences))
		}
	}
	return r, nil
}

// Answer is what an engine says.
type Answer struct {
	Status int
	Body   string
}

func (e *Engines) ask(ctx context.Context, q Request) (right, tested Answer, err error) {
	if right, err = e.call(ctx, e.Right, http.MethodPost, q.path(), q.Body); err != nil {
		return
	}
	tested, err = e.call(ctx, e.Tested, http.MethodPost, q.path(), q.Body)
	return
}

// load puts a world into both engines.
func (e *Engines) load(ctx context.Context, w World) error {
	for _, url := range []string{e.Right, e.Tested} {
		for _, step := range []struct{ method, path, body string }{
			{http.MethodDelete, "/" + indexName + "?ignore_unavailable=true", ""},
			{http.MethodPut, "/" + indexName, w.Mapping},
			{http.MethodPost, "/" + indexName + "/_bulk?refresh=true", w.bulk()},
		} {
			if step.method == http.MethodPost && len(w.Documents) == 0 {
				continue
			}
			a, err := e.call(ctx, url, step.method, step.path, step.body)
			if err != nil {
				return err
			}
			if a.Status >= 300 || strings.Contains(a.Body, `"errors":true`) {
				return fmt.Errorf("%s %s%s: %d %.600s", step.method, url, step.path, a.Status, a.Body)
			}
		}
	}
	return nil
}

func (e *Engines) call(ctx context.Context, url, method, path, body string) (Answer, error) {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := e.Client.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return Answer{res.StatusCode, string(text)}, err
}
