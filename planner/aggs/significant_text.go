package aggs

import (
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	gen "postern/generated/aggs"
	"postern/internal/analysis"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/segment"
)

// significantText is significant_terms of a text, which is read and analysed again.
type significantText struct {
	*significance
	hits       HitsPlanner
	field      *mapping.Field // nil when the index does not have it
	analyzer   *analysis.Analyzer
	paths      []string
	include    *inclusion
	duplicates bool // text that has been seen before does not count
}

type significantTextResult struct {
	*significantText
	answered
	background
	terms  map[string]*bucket
	seen   map[sequence]struct{}
	tokens []analysis.Token
	scores []float64
}

// sequence is so many tokens, one after the other, that text with them is taken for a
// copy.
type sequence [6]string

func parseSignificantText(c *source) (aggregator, error) {
	a := c.a.SignificantText
	if c.hits == nil {
		return nil, eserr.Refused("[significant_text] aggregation is not supported here")
	}
	s, err := c.significance(a.Size, a.MinDocCount, a.BackgroundFilter, heuristics{a.Jlh, a.ChiSquare, a.MutualInformation, a.Gnd, a.Percentage})
	if err != nil {
		return nil, err
	}
	out := &significantText{significance: s, hits: c.hits, field: c.Mapping.Field(*a.Field), paths: a.SourceFields, duplicates: a.FilterDuplicateText != nil && *a.FilterDuplicateText}
	if out.paths == nil {
		out.paths = []string{*a.Field}
	}
	if f := out.field; f != nil {
		switch {
		case f.Kind == mapping.KindKeyword && !isMeta(f):
		case f.Analyzer == nil:
			return nil, eserr.IllegalArgument("Field [%s] has no analyzer, but SignificantText requires an analyzed field", f.Name)
		}
		out.analyzer = f.Analyzer
	}
	out.include, err = parseInclusion(c, &gen.TermsAggregation{Include: a.Include, Exclude: a.Exclude}, &values{as: mapping.KindKeyword})
	return out, err
}

// checkSignificantText finds what is wrong with a request whatever the index.
func checkSignificantText(a *gen.SignificantTextAggregation) error {
	if a.Field == nil {
		return eserr.IllegalArgument("Required one of fields [field, script], but none were specified. ")
	}
	return nil
}

func (a *significantText) empty(*node) result {
	return &significantTextResult{significantText: a, background: background{significance: a.significance}, terms: map[string]*bucket{}, seen: map[sequence]struct{}{}}
}

func (r *significantTextResult) collect(x *collector, s *selection) error {
	if r.field == nil || s.len() == 0 {
		return nil
	}
	r.see(x, s, r)
	return r.hits.Sources(x.place(s.seg), s.docs(), func(source []byte) error {
		if err := x.exec.Alive(); err != nil {
			return err
		}
		v, err := jsonx.Parse(source)
		if err != nil {
			return err
		}
		once := map[string]struct{}{}
		for _, path := range r.paths {
			eachText(v, path, func(text string) { r.read(text, once) })
		}
		for term := range once {
			b := r.terms[term]
			if b == nil {
				b = &bucket{}
				r.terms[term] = b
			}
			b.count++
		}
		return nil
	})
}

// read adds the terms of a text to those of its document.
func (r *significantTextResult) read(text string, once map[string]struct{}) {
	if r.analyzer == nil {
		if text = r.field.Normalize(text); r.include.text([]byte(text)) {
			once[text] = struct{}{}
		}
		return
	}
	r.tokens = r.analyzer.Tokens(r.tokens[:0], text)
	var copied []bool
	if r.duplicates {
		copied = r.copied(r.tokens)
	}
	for i, t := range r.tokens {
		if (copied == nil || !copied[i]) && r.include.text([]byte(t.Term)) {
			once[t.Term] = struct{}{}
		}
	}
}

// copied marks the tokens of sequences that have been seen before, and remembers those of
// this text.
func (r *significantTextResult) copied(tokens []analysis.Token) []bool {
	marks := make([]bool, len(tokens))
	var s sequence
	for i := len(s); i <= len(tokens); i++ {
		for j := range s {
			s[j] = tokens[i-len(s)+j].Term
		}
		if _, seen := r.seen[s]; seen {
			for j := i - len(s); j < i; j++ {
				marks[j] = true
			}
			continue
		}
		for j := range s {
			s[j] = strings.Clone(s[j])
		}
		r.seen[s] = struct{}{}
	}
	return marks
}

// eachText visits the scalars of a path.
func eachText(v jsonx.Value, path string, visit func(text string)) {
	switch v.Kind() {
	case jsonx.Null:
	case jsonx.Array:
		for e := range v.Elements() {
			eachText(e, path, visit)
		}
	case jsonx.Object:
		for k, m := range v.Members() {
			if name := k.Text(); name == path {
				eachText(m, "", visit)
			} else if rest, ok := strings.CutPrefix(path, name+"."); ok {
				eachText(m, rest, visit)
			}
		}
	default:
		if path == "" {
			visit(v.Text())
		}
	}
}

func (r *significantTextResult) finish() error {
	r.background.texts = map[string]int64{}
	x := r.background.x.exec
	r.background.x = nil
	err := r.significantText.each(x, func(s *segment.Segment, among *roaring.Bitmap) {
		text, k := s.Text(r.field.Name), s.Keyword(r.field.Name)
		for term := range r.terms {
			if text != nil {
				if ord, ok := text.Lookup(term); ok {
					r.background.texts[term] += countAmong(text.Postings(ord).Docs, among)
				}
			} else if k != nil {
				if ord, ok := k.Lookup(term); ok {
					r.background.texts[term] += countAmong(k.DocsOf(ord), among)
				}
			}
		}
	})
	if err != nil {
		return err
	}
	return scorable(&r.background, r.terms, r.background.texts)
}

func (r *significantTextResult) merge(other result) {
	o := other.(*significantTextResult)
	if r.field == nil {
		r.significantText = o.significantText
	}
	r.mergeBackground(&o.background)
	mergeMaps(r.terms, o.terms, nil)
}

func (r *significantTextResult) reduce() {
	if !r.begin() {
		return
	}
	r.answered.texts(sorted(r.terms, order{{by: byKey}}, 1))
	r.scores = r.rank(&r.answered, func(b *answerBucket) int64 { return r.background.texts[b.text] })
}

func (r *significantTextResult) keyText(b *answerBucket) string { return b.text }

func (r *significantTextResult) appendBody(w *writer) {
	r.reduce()
	r.appendHead(w, r.field == nil)
	w.bucketList(len(r.buckets), nil, func(i int) {
		b := &r.buckets[i]
		w.string("key", b.text)
		w.int("doc_count", b.count)
		w.float("score", r.scores[i])
		w.int("bg_count", r.background.texts[b.text])
	})
}

func (r *significantTextResult) prefix() string { return "sigsterms" }
