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
	Err      error // the run itself failed
}

// Skipped says that the case asks about data that can't be had here.
func (r Result) Skipped() bool { return errors.Is(r.Err, replay.ErrNoData) }

// Run replays the cases, several at once: each works on indices of its own, which Distinct
// checks. Results come in the order of cases.
func Run(ctx context.Context, target replay.Target, cases []Case, workers int) []Result {
	results := make([]Result, len(cases))
	next := make(chan int)
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for i := range next {
				failures, err := target.Replay(ctx, cases[i].Recording)
				results[i] = Result{Case: cases[i], Failures: failures, Err: err}
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	wait.Wait()
	return results
}

// Distinct returns the names of indices and templates that two cases create: those could
// not run side by side.
func Distinct(cases []Case) error {
	owner := map[string]string{}
	for _, c := range cases {
		for _, name := range slices.Concat(c.Recording.Indices, c.Recording.Templates) {
			if other, taken := owner[name]; taken && other != c.Name {
				return fmt.Errorf("%s and %s both create %s", other, c.Name, name)
			}
			owner[name] = c.Name
		}
	}
	return nil
}
