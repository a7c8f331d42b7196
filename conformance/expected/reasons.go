package expected

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"postern/conformance/replay"
	"postern/conformance/suite"
)

// Reason is why a kind of difference is there.
type Reason struct {
	pattern  *regexp.Regexp // of what Changes returns
	Why, See string
}

// ReadReasons reads the kinds of an engine's differences, one a line:
//
//	PATTERN | why | where that is written
func ReadReasons(file string) ([]Reason, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var reasons []Reason
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			return nil, fmt.Errorf("%s: line %d: a kind of difference is PATTERN | why | where that is written", file, i+1)
		}
		pattern, err := regexp.Compile("(?s)" + parts[0])
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", file, i+1, err)
		}
		reasons = append(reasons, Reason{pattern, strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2])})
	}
	return reasons, nil
}

// Changes is what patterns are matched with: the request, and of the differences only the
// lines that differ, without go-cmp's decoration.
func Changes(f replay.Failure) string {
	text := f.Request
	for _, d := range f.Diffs {
		whole := !strings.Contains(d, "(-want +got)")
		for line := range strings.SplitSeq(strings.ReplaceAll(d, "\u00a0", " "), "\n") {
			if whole || strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
				text += "\n" + strings.Join(strings.Fields(line), " ")
			}
		}
	}
	return text
}

// Explain returns the list that is right for results: entries of old whose difference is
// still there keep their words, other differences get those of the first reason that
// matches. Differences that nothing explains are returned apart.
func Explain(old []Entry, results []suite.Result, reasons []Reason) (entries []Entry, unexplained []string) {
	for _, r := range results {
		for _, f := range r.Failures {
			e := Entry{Case: r.Case.Name, Exchange: f.Exchange}
			if i := slices.IndexFunc(old, func(o Entry) bool {
				return o.Case == e.Case && (o.Exchange == e.Exchange || o.Exchange == 0)
			}); i >= 0 {
				e.Why, e.See = old[i].Why, old[i].See
			} else {
				text := Changes(f)
				i := slices.IndexFunc(reasons, func(r Reason) bool { return r.pattern.MatchString(text) })
				if i < 0 {
					unexplained = append(unexplained, fmt.Sprintf("%s\n%s", name(e), text))
					continue
				}
				e.Why, e.See = reasons[i].Why, reasons[i].See
			}
			entries = append(entries, e)
		}
	}
	return entries, unexplained
}

// Format writes entries as Parse reads them, those of one case and reason on one line.
func Format(head string, entries []Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", head)
	var order []Entry
	numbers := map[Entry][]string{}
	for _, e := range entries {
		key := Entry{Case: e.Case, Why: e.Why, See: e.See}
		if numbers[key] == nil {
			order = append(order, key)
		}
		numbers[key] = append(numbers[key], strconv.Itoa(e.Exchange))
	}
	for _, e := range order {
		fmt.Fprintf(&b, "%s#%s | %s | %s\n", e.Case, strings.Join(numbers[e], ","), e.Why, e.See)
	}
	return b.String()
}
