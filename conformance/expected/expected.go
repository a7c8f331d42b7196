// Package expected reads the strict lists of known differences. A list has one line a
// difference:
//
//	search/sort-missing#3 | why it differs | where that is written
//
// names an exchange of a case (#3,7: two of them); without #N, every failing exchange of
// the case. A line that
// names nothing, or whose exchange is answered as recorded, is an error: the list can
// only hold what is so today.
package expected

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"postern/conformance/suite"
)

// Entry is one known difference.
type Entry struct {
	Line     int
	Case     string
	Exchange int // 0: any
	Why, See string
}

// Read parses the list in file; a file that is not there is an empty list.
func Read(file string) ([]Entry, error) {
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return entries, nil
}

// Parse reads a list.
func Parse(text string) ([]Entry, error) {
	var entries []Entry
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			return nil, fmt.Errorf("line %d: a difference is CASE#N | why | where that is written", i+1)
		}
		e := Entry{Line: i + 1, Why: strings.TrimSpace(parts[1]), See: strings.TrimSpace(parts[2])}
		name, list, numbered := strings.Cut(strings.TrimSpace(parts[0]), "#")
		e.Case = name
		if e.Case == "" || e.Why == "" || e.See == "" {
			return nil, fmt.Errorf("line %d: a part is empty", i+1)
		}
		if !numbered {
			entries = append(entries, e)
			continue
		}
		for number := range strings.SplitSeq(list, ",") {
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("line %d: %q is no number of an exchange", i+1, number)
			}
			e.Exchange = n
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// Apply moves the expected differences of results from Failures to Known, and returns the
// entries that are wrong: those whose case is not there or passes. Entries about cases outside of results
// count only if all says that results are all there is.
func Apply(entries []Entry, results []suite.Result, all bool) (wrong []string) {
	at := map[string]int{}
	for i, r := range results {
		at[r.Case.Name] = i
	}
	for _, e := range entries {
		i, known := at[e.Case]
		if !known {
			if all {
				wrong = append(wrong, fmt.Sprintf("line %d: there is no case %s", e.Line, e.Case))
			}
			continue
		}
		r := &results[i]
		if r.Err != nil {
			continue
		}
		left := r.Failures[:0:0]
		for _, f := range r.Failures {
			if e.Exchange != 0 && f.Exchange != e.Exchange {
				left = append(left, f)
			} else {
				r.Known = append(r.Known, suite.Known{Failure: f, Why: e.Why, See: e.See})
			}
		}
		if len(left) == len(r.Failures) {
			wrong = append(wrong, fmt.Sprintf("line %d: %s passes: the entry has to go", e.Line, name(e)))
		}
		r.Failures = left
	}
	return wrong
}

func name(e Entry) string {
	if e.Exchange == 0 {
		return e.Case
	}
	return fmt.Sprintf("%s#%d", e.Case, e.Exchange)
}
