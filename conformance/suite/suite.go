// Package suite runs many recordings on an engine and judges the outcome by the list of
// expected differences.
package suite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"postern/conformance/recording"
	"postern/conformance/replay"
)

// Extension ends the name of each recording.
const Extension = ".rec"

// Case is one recording with its place.
type Case struct {
	Name      string // path below the root, with slashes and without the extension
	File      string
	Recording *recording.Recording
}

// Load reads the recordings below root whose names begin with one of prefixes; without
// prefixes, all.
func Load(root string, prefixes ...string) ([]Case, error) {
	var cases []Case
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != Extension {
			return err
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.ToSlash(relative), Extension)
		if len(prefixes) > 0 && !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		r, err := recording.Parse(text)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		cases = append(cases, Case{Name: name, File: file, Recording: r})
		return nil
	})
	if err == nil && len(cases) == 0 {
		err = fmt.Errorf("no recording below %s matches %v", root, prefixes)
	}
	return cases, err
}

// Result is the outcome of one case.
type Result struct {
	Case     Case
	Failures []replay.Failure
	Known    []Known // failures that a list of expected differences explains
	Err      error   // the run itself failed
	Took     time.Duration
}

// Known is a failure with its reason.
type Known struct {
	replay.Failure
	Why, See string
}

// Passed says that every answer was as recorded.
func (r Result) Passed() bool { return r.Err == nil && len(r.Failures) == 0 && len(r.Known) == 0 }

// Skipped says that the case asks about data that can't be had here.
func (r Result) Skipped() bool { return errors.Is(r.Err, replay.ErrNoData) }

// Run replays the cases, several at once, and calls done, which may be nil, after each of
// them. Cases that create the same thing never run side by side, and nothing runs beside a
// case that says it has to be alone. Results come in the order of cases.
func Run(ctx context.Context, target replay.Target, cases []Case, workers int, done func(Result)) []Result {
	results := make([]Result, len(cases))
	var together, alone []int
	for i, c := range cases {
		if c.Recording.Alone == "" {
			together = append(together, i)
		} else {
			alone = append(alone, i)
		}
	}
	names := &reserved{locks: map[string]*sync.Mutex{}}
	var reports sync.Mutex
	run := func(i int) {
		defer names.take(cases[i].Recording)()
		start := time.Now()
		failures, err := target.Replay(ctx, cases[i].Recording)
		results[i] = Result{Case: cases[i], Failures: failures, Err: err, Took: time.Since(start)}
		if done != nil {
			reports.Lock()
			defer reports.Unlock()
			done(results[i])
		}
	}
	next := make(chan int)
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for i := range next {
				run(i)
			}
		})
	}
	for _, i := range together {
		next <- i
	}
	close(next)
	wait.Wait()
	for _, i := range alone {
		run(i)
	}
	return results
}

// reserved has a lock for each name that a scenario creates.
type reserved struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

// take waits until no other scenario uses the names of r, in one order for all so that two
// never wait for each other, and returns what gives them back.
func (n *reserved) take(r *recording.Recording) (release func()) {
	var list []string
	for _, c := range r.Creates {
		list = append(list, c.Name)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	held := make([]*sync.Mutex, len(list))
	for i, name := range list {
		n.mu.Lock()
		if n.locks[name] == nil {
			n.locks[name] = &sync.Mutex{}
		}
		held[i] = n.locks[name]
		n.mu.Unlock()
		held[i].Lock()
	}
	return func() {
		for _, lock := range held {
			lock.Unlock()
		}
	}
}

// Distinct returns an error that names what two cases create: those can't run side by side.
func Distinct(cases []Case) error {
	owner := map[string]string{}
	for _, c := range cases {
		for _, thing := range c.Recording.Creates {
			if other, taken := owner[thing.Name]; taken && other != c.Name {
				return fmt.Errorf("%s and %s both create %s", other, c.Name, thing.Name)
			}
			owner[thing.Name] = c.Name
		}
	}
	return nil
}
