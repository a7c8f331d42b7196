package query

import (
	"slices"

	gen "postern/generated/query"
	"postern/internal/analysis"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

func parseIntervals(c *Context, q *gen.QueryContainer) (Node, error) {
	if q.Intervals == nil {
		return nil, &RequestError{&eserr.Error{Status: 400, Type: "parsing_exception", Reason: "Expected [FIELD_NAME] but got [END_OBJECT]"}}
	}
	m := &q.Intervals.Value
	f := c.field(q.Intervals.Key)
	if f == nil {
		return c.finish(matchNone{}, m.Boost, m.Name)
	}
	source, err := c.intervalsOf(f, &gen.IntervalsSource{AllOf: m.AllOf, AnyOf: m.AnyOf,
		Fuzzy: m.Fuzzy, Match: m.Match, Prefix: m.Prefix, Range: m.Range, Regexp: m.Regexp, Wildcard: m.Wildcard})
	if err != nil {
		return nil, err
	}
	if source == nil {
		return c.finish(matchNone{}, m.Boost, m.Name)
	}
	return c.finish(&intervals{source}, m.Boost, m.Name)
}

// intervalsOf makes a source; nil is one that finds nothing.
func (c *Context) intervalsOf(f *mapping.Field, q *gen.IntervalsSource) (intervalSource, error) {
	switch {
	case q.Match != nil:
		return c.matchIntervals(f, q.Match)
	case q.AllOf != nil:
		parts, err := c.intervalParts(f, q.AllOf.Intervals)
		if err != nil || slices.Contains(parts, nil) {
			return nil, err
		}
		return c.filterIntervals(f, combineIntervals(parts, isTrue(q.AllOf.Ordered), q.AllOf.MaxGaps), q.AllOf.Filter)
	case q.AnyOf != nil:
		parts, err := c.intervalParts(f, q.AnyOf.Intervals)
		if err != nil {
			return nil, err
		}
		parts = slices.DeleteFunc(parts, func(s intervalSource) bool { return s == nil })
		if len(parts) == 0 {
			return nil, nil
		}
		return c.filterIntervals(f, anyOfIntervals(parts), q.AnyOf.Filter)
	case q.Prefix != nil:
		return c.patternIntervals(f, q.Prefix.UseField, q.Prefix.Analyzer, q.Prefix.Prefix, func(text string) finder {
			return compileGlob(escapeGlob(text)+"*", false)
		})
	case q.Wildcard != nil:
		return c.patternIntervals(f, q.Wildcard.UseField, q.Wildcard.Analyzer, q.Wildcard.Pattern, func(text string) finder {
			return compileGlob(text, false)
		})
	case q.Fuzzy != nil:
		return c.fuzzyIntervals(f, q.Fuzzy)
	}
	return nil, eserr.Refused("[intervals] of the types [range] and [regexp] are not supported")
}

func (c *Context) intervalParts(f *mapping.Field, list []gen.IntervalsSource) ([]intervalSource, error) {
	parts := make([]intervalSource, len(list))
	for i := range list {
		var err error
		if parts[i], err = c.intervalsOf(f, &list[i]); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// onField is the field whose terms a source looks at, and its analyzer.
func (c *Context) onField(f *mapping.Field, use, analyzer *string) (*mapping.Field, *analysis.Analyzer, error) {
	if use != nil {
		if f = c.field(*use); f == nil {
			return nil, nil, nil
		}
	}
	if f.Kind != mapping.KindText {
		return nil, nil, eserr.IllegalArgument("Can only use interval queries on text fields - not on [%s] which is of type [%s]", f.Name, f.Type)
	}
	if f.IndexOptions != "positions" && f.IndexOptions != "offsets" {
		return nil, nil, eserr.IllegalArgument("Cannot create intervals over field [%s] with no positions indexed", f.Name)
	}
	if analyzer == nil {
		return f, f.SearchAnalyzer, nil
	}
	a, err := c.analyzerNamed(matchSpec{clause: "intervals", analyzer: analyzer})
	return f, a, err
}

func (c *Context) matchIntervals(f *mapping.Field, m *gen.IntervalsMatch) (intervalSource, error) {
	on, analyzer, err := c.onField(f, m.UseField, m.Analyzer)
	if err != nil || on == nil {
		return nil, err
	}
	words, _ := c.wordsFor(on, analyzer, matchSpec{text: textValue(m.Query)})
	parts := make([]intervalSource, len(words))
	next := 0
	for i, w := range words {
		parts[i] = &termSpans{column: c.column(on), values: w.words}
		if gap := w.position - next; gap > 0 { // words that the analyzer left out
			parts[i] = &keptSpans{source: parts[i], name: "extend", before: gap, limit: -1}
		}
		next = w.position + 1
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return c.filterIntervals(f, combineIntervals(parts, isTrue(m.Ordered), m.MaxGaps), m.Filter)
}

func combineIntervals(parts []intervalSource, ordered bool, maxGaps *int) intervalSource {
	limit := -1
	if maxGaps != nil {
		limit = *maxGaps
	}
	switch {
	case len(parts) == 0:
		return nil
	case len(parts) == 1:
		return parts[0]
	case ordered && limit == 0:
		return pulledUp(parts, spanAdjacent)
	}
	var all intervalSource
	if ordered {
		all = pulledUp(parts, spanOrdered)
	} else {
		parts = repeatIntervals(parts)
		if all = parts[0]; len(parts) > 1 {
			all = &combinedSpans{how: spanUnordered, parts: parts}
		}
	}
	if limit < 0 {
		return all
	}
	return &keptSpans{source: all, name: "gaps", limit: limit}
}

// repeatIntervals makes one source of equal ones: it must match as often.
func repeatIntervals(parts []intervalSource) []intervalSource {
	var out []intervalSource
	count := make(map[string]int)
	for _, p := range parts {
		count[string(p.appendKey(nil))]++
	}
	for _, p := range parts {
		key := string(p.appendKey(nil))
		switch n := count[key]; {
		case n == 1:
			out = append(out, p)
		case n > 1:
			out = append(out, &combinedSpans{how: spanRepeat, parts: []intervalSource{p}, times: n})
		}
		count[key] = 0
	}
	return out
}

// maxPulledUp bounds the sequences that alternatives are multiplied out to.
const maxPulledUp = 1024

// pulledUp makes alternatives of sequences out of a sequence of alternatives, whose
// minimal spans would hide longer ones that fit better.
func pulledUp(parts []intervalSource, how spanRule) intervalSource {
	sequences := [][]intervalSource{nil}
	for _, p := range parts {
		options := []intervalSource{p}
		if any, ok := p.(*combinedSpans); ok && any.how == spanAny {
			options = any.parts
		}
		if len(sequences)*len(options) > maxPulledUp {
			return &combinedSpans{how: how, parts: parts}
		}
		var longer [][]intervalSource
		for _, s := range sequences {
			for _, o := range options {
				longer = append(longer, append(slices.Clone(s), o))
			}
		}
		sequences = longer
	}
	list := make([]intervalSource, len(sequences))
	for i, s := range sequences {
		list[i] = &combinedSpans{how: how, parts: s}
	}
	return anyOfIntervals(list)
}

func anyOfIntervals(parts []intervalSource) intervalSource {
	if len(parts) == 1 {
		return parts[0]
	}
	return &combinedSpans{how: spanAny, parts: parts}
}

func (c *Context) patternIntervals(f *mapping.Field, use, analyzer *string, text string, find func(string) finder) (intervalSource, error) {
	on, a, err := c.onField(f, use, analyzer)
	if err != nil || on == nil {
		return nil, err
	}
	if lowercases(a) {
		text = analysis.Lowercase(text)
	}
	return &termSpans{column: c.column(on), from: find(text)}, nil
}

func (c *Context) fuzzyIntervals(f *mapping.Field, q *gen.IntervalsFuzzy) (intervalSource, error) {
	edits := autoFuzziness()
	if q.Fuzziness != "" {
		var err *eserr.Error
		if edits, err = fuzzinessOf(q.Fuzziness); err != nil {
			return nil, err
		}
	}
	prefix := 0
	set(&prefix, q.PrefixLength)
	return c.patternIntervals(f, q.UseField, q.Analyzer, q.Term, func(text string) finder {
		return &fuzzy{text: text, edits: edits.of(text), prefix: prefix, transposed: q.Transpositions == nil || *q.Transpositions}
	})
}

// filterIntervals keeps the spans that stand as asked to those of another source.
func (c *Context) filterIntervals(f *mapping.Field, source intervalSource, q *gen.IntervalsFilter) (intervalSource, error) {
	if q == nil || source == nil {
		return source, nil
	}
	conditions := []struct {
		name  string
		other *gen.IntervalsSource
		not   bool
		holds func(s, o span) bool
	}{
		{"after", q.After, false, func(s, o span) bool { return o.end < s.start }},
		{"before", q.Before, false, func(s, o span) bool { return s.end < o.start }},
		{"contained_by", q.ContainedBy, false, func(s, o span) bool { return o.contains(s) }},
		{"containing", q.Containing, false, span.contains},
		{"not_contained_by", q.NotContainedBy, true, func(s, o span) bool { return o.contains(s) }},
		{"not_containing", q.NotContaining, true, span.contains},
		{"not_overlapping", q.NotOverlapping, true, overlap},
		{"overlapping", q.Overlapping, false, overlap},
	}
	for _, cond := range conditions {
		if cond.other == nil {
			continue
		}
		other, err := c.intervalsOf(f, cond.other)
		if err != nil {
			return nil, err
		}
		return &keptSpans{source: source, name: cond.name, than: other, limit: -1, keep: func(s span, others []span) bool {
			return slices.ContainsFunc(others, func(o span) bool { return cond.holds(s, o) }) != cond.not
		}}, nil
	}
	return nil, eserr.Refused("a [script] filter of intervals is not supported")
}

func overlap(a, b span) bool { return a.start <= b.end && b.start <= a.end }
