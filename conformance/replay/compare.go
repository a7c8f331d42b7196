package replay

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// compare returns how got differs from the recorded answer: one text a difference.
func (t Target) compare(want *recording.Answer, got *Response, rules []recording.Rule, c captures, head bool) []string {
	var diffs []string
	if got.Status != want.Status {
		diffs = append(diffs, fmt.Sprintf("status %d, want %d; %s", got.Status, want.Status, clip(got.Body)))
		return diffs
	}
	diffs = append(diffs, t.compareHeaders(want, got, c)...)
	if head {
		if len(got.Body) > 0 {
			diffs = append(diffs, "a HEAD answer has a body")
		}
		return diffs
	}
	if d := t.compareBodies(want, got, rules, c); d != "" {
		diffs = append(diffs, d)
	}
	return diffs
}

func (t Target) compareHeaders(want *recording.Answer, got *Response, c captures) []string {
	expected := append([]recording.Header(nil), want.Headers...)
	for _, h := range []recording.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "X-elastic-product", Value: "Elasticsearch"}} {
		if !named(expected, h.Name) {
			expected = append(expected, h)
		}
	}
	var diffs []string
	for _, h := range expected {
		// Elasticsearch itself forgets the product header on some errors.
		if strings.EqualFold(h.Name, "X-elastic-product") && (t.SkipHeaders || h.Value == "") {
			continue
		}
		value := canonicalHeader(h.Name, got.Headers.Values(h.Name))
		if t.SkipHeaders && strings.EqualFold(h.Name, "Content-Type") {
			value = withoutCharset.ReplaceAllString(value, "")
		}
		w := c.expand(h.Value)
		if t.SkipOrder && strings.EqualFold(h.Name, "Allow") {
			w, value = sortedList(w), sortedList(value)
		}
		if w != value {
			diffs = append(diffs, fmt.Sprintf("header %s: %q, want %q", h.Name, value, w))
		}
	}
	return diffs
}

// sortedList orders the elements of a header that is a list.
func sortedList(value string) string {
	elements := strings.Split(value, ",")
	slices.Sort(elements)
	return strings.Join(elements, ",")
}

func named(list []recording.Header, name string) bool {
	for _, h := range list {
		if strings.EqualFold(h.Name, name) {
			return true
		}
	}
	return false
}

var withoutCharset = regexp.MustCompile(`(?i); *charset=utf-8$`)

var warningText = regexp.MustCompile(`^299 \S+ `)

// canonicalHeader joins values, and drops from a warning who gave it.
func canonicalHeader(name string, values []string) string {
	if strings.EqualFold(name, "Warning") {
		for i, v := range values {
			values[i] = warningText.ReplaceAllString(v, "")
		}
	}
	return strings.Join(values, ", ")
}

func (t Target) compareBodies(want *recording.Answer, got *Response, rules []recording.Rule, c captures) string {
	expected, err := jsontree.Parse(want.Body)
	if err != nil || has(rules, recording.Exact) {
		if w := c.expand(string(want.Body)); w != string(got.Body) {
			return "body (-want +got):\n" + cmp.Diff(w, string(got.Body))
		}
		return ""
	}
	actual, err := jsontree.Parse(got.Body)
	if err != nil {
		return fmt.Sprintf("the body is no JSON (%v): %s", err, clip(got.Body))
	}
	expected = blur(normalize(c.expandValue(expected), rules))
	actual = blur(normalize(actual, rules))
	aligned := align(expected, actual, nil, rules)
	if w, g := jsontree.Compact(expected), jsontree.Compact(aligned); w != g {
		return "body (-want +got):\n" + difference(expected, aligned)
	}
	if w, g := jsontree.Compact(names(expected)), jsontree.Compact(names(actual)); w != g && !t.SkipOrder {
		return "order of members (-want +got):\n" + difference(names(expected), names(actual))
	}
	return ""
}

// difference compares line by line: a line each of go-cmp's is a line of the body.
func difference(want, got jsontree.Value) string {
	type text []line
	split := func(v jsontree.Value) text {
		var list text
		for _, l := range strings.Split(jsontree.Pretty(v), "\n") {
			list = append(list, line(l))
		}
		return list
	}
	return cmp.Diff(split(want), split(got), cmp.Comparer(func(a, b line) bool { return a == b }))
}

// line is a line of a body; go-cmp shows it in its own words, and whole.
type line string

func (l line) String() string { return string(l) }

func has(rules []recording.Rule, kind recording.RuleKind) bool {
	for _, r := range rules {
		if r.Kind == kind {
			return true
		}
	}
	return false
}

// clip keeps a body short enough for a message.
func clip(body []byte) string {
	const most = 400
	if len(body) > most {
		return string(body[:most]) + "…"
	}
	return string(body)
}
