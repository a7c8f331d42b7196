package query

import (
	"errors"
	"strings"

	gen "postern/generated/query"
	"postern/internal/analysis"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// matchKind is what a match clause makes of the terms of its text.
type matchKind uint8

const (
	matchWords        matchKind = iota // some or all of them
	matchPhrase                        // in their order
	matchPhrasePrefix                  // in their order, the last one only begun
	matchBoolPrefix                    // some or all of them, the last one only begun
)

// matchSpec is what the clauses of the match family have in common.
type matchSpec struct {
	clause    string // its name, for errors
	kind      matchKind
	text      jsonx.Value
	analyzer  *string
	all       bool // operator and
	need      string
	lenient   bool
	zeroTerms bool // zero_terms_query all
	optional  bool // a text without terms is no query at all: nil
	slop      int
	fuzzy     fuzzySpec
}

func (s *matchSpec) quoted() bool { return s.kind == matchPhrase || s.kind == matchPhrasePrefix }

func (s *matchSpec) empty() Node {
	switch {
	case s.optional:
		return nil
	case s.zeroTerms:
		return matchAll{}
	}
	return matchNone{}
}

func parseMatch(c *Context, q *gen.QueryContainer) (Node, error) {
	m := &q.Match.Value
	fuzzy, err := fuzzyOf(m.Fuzziness, m.PrefixLength, m.MaxExpansions, m.FuzzyTranspositions, m.FuzzyRewrite)
	if err != nil {
		return nil, err
	}
	if err := checkExpansions("match", fuzzy); err != nil {
		return nil, err
	}
	n, err := c.matchQuery(q.Match.Key, matchSpec{
		clause: "match", text: m.Query, analyzer: m.Analyzer, all: m.Operator == gen.OperatorAnd, fuzzy: fuzzy,
		need: m.MinimumShouldMatch, lenient: isTrue(m.Lenient), zeroTerms: m.ZeroTermsQuery == gen.ZeroTermsQueryAll,
	})
	if err != nil {
		return nil, err
	}
	return c.finish(n, m.Boost, m.Name)
}

// checkExpansions refuses what the match clauses refuse before they see an index.
func checkExpansions(clause string, s fuzzySpec) error {
	switch {
	case s.prefix < 0 && clause == "multi_match":
		return &RequestError{eserr.IllegalArgument("No negative prefix length allowed.")}
	case s.prefix < 0:
		return &RequestError{eserr.IllegalArgument("[%s] requires prefix length to be non-negative.", clause)}
	case s.maxExpansions <= 0 && clause == "multi_match":
		return &RequestError{eserr.IllegalArgument("Max expansions must be strictly great than zero.")}
	case s.maxExpansions <= 0:
		return &RequestError{eserr.IllegalArgument("[%s] requires maxExpansions to be positive.", clause)}
	}
	return nil
}

func isTrue(b *bool) bool { return b != nil && *b }

// matchQuery analyzes a text for one field and combines its terms.
func (c *Context) matchQuery(name string, s matchSpec) (Node, error) {
	if s.fuzzy.rewrite != "" {
		if _, _, err := parseRewrite(s.fuzzy.rewrite); err != nil {
			return nil, err
		}
	}
	analyzer, err := c.analyzerNamed(s)
	if err != nil {
		return nil, err
	}
	n, err := c.matchField(name, analyzer, s)
	var e *eserr.Error
	if s.lenient && errors.As(err, &e) && e.Status == 400 {
		return matchNone{}, nil
	}
	return n, err
}

func (c *Context) matchField(name string, analyzer *analysis.Analyzer, s matchSpec) (Node, error) {
	f := c.field(name)
	if f == nil {
		return c.termQuery(name, s.text, false)
	}
	if f.Kind == mapping.KindText {
		if err := searchable(f); err != nil {
			return nil, err
		}
	}
	words, whole := c.wordsFor(f, analyzer, s)
	if whole { // such a text is one term as it is
		return c.wholeText(f, s)
	}
	if len(words) == 0 {
		return s.empty(), nil
	}
	if s.quoted() && (len(words) > 1 || s.kind == matchPhrasePrefix) {
		return c.phraseOf(f, words, s)
	}
	return c.wordsOf(f, words, s)
}

// wordsFor are the terms of a text for a field by position; whole says that the field
// knows no analysis.
func (c *Context) wordsFor(f *mapping.Field, analyzer *analysis.Analyzer, s matchSpec) (words []wordsAt, whole bool) {
	text := s.text.Text()
	switch {
	case analyzer != nil:
	case f.SplitQueriesOnWhitespace:
		for i, w := range strings.Fields(text) {
			words = append(words, wordsAt{[]string{f.Normalize(w)}, i})
		}
		return words, false
	case f.Kind != mapping.KindText:
		return nil, true
	case s.quoted():
		analyzer = f.SearchQuoteAnalyzer
	default:
		analyzer = f.SearchAnalyzer
	}
	for _, t := range analyzer.Tokens(nil, text) {
		if n := len(words); n > 0 && words[n-1].position == t.Position {
			words[n-1].words = append(words[n-1].words, t.Term)
			continue
		}
		words = append(words, wordsAt{[]string{t.Term}, t.Position})
	}
	return words, false
}

// wordsAt are the terms at one position of a text.
type wordsAt struct {
	words    []string
	position int
}

func (c *Context) wholeText(f *mapping.Field, s matchSpec) (Node, error) {
	switch {
	case s.kind == matchPhrasePrefix:
		return nil, notOnText("phrase prefix", f)
	case s.kind == matchBoolPrefix && f.Type == "keyword":
		return c.prefixQuery(f.Name, s.text.Text(), false, "")
	case s.fuzzy.on && s.kind == matchWords:
		return c.fuzzyTerm(f, f.Normalize(s.text.Text()), s.fuzzy)
	}
	return c.termQuery(f.Name, s.text, false)
}

func notOnText(kind string, f *mapping.Field) *eserr.Error {
	return eserr.IllegalArgument("Can only use %s queries on text fields - not on [%s] which is of type [%s]", kind, f.Name, f.Type)
}

func (c *Context) analyzerNamed(s matchSpec) (*analysis.Analyzer, error) {
	if s.analyzer == nil {
		return nil, nil
	}
	if a, ok := c.Mapping.Analyzer(*s.analyzer); ok {
		return a, nil
	}
	return nil, c.fail("[%s] analyzer [%s] not found", s.clause, *s.analyzer)
}

// wordsOf combines the terms of a text with and, or, or a number of them.
func (c *Context) wordsOf(f *mapping.Field, words []wordsAt, s matchSpec) (Node, error) {
	nodes := make([]Node, len(words))
	for i, at := range words {
		var err error
		if nodes[i], err = c.wordOf(f, at.words, i == len(words)-1 && s.kind == matchBoolPrefix, s); err != nil {
			return nil, err
		}
	}
	return combineWords(nodes, s)
}

func combineWords(nodes []Node, s matchSpec) (Node, error) {
	if len(nodes) == 1 {
		return nodes[0], nil
	}
	if s.all {
		return newBoolean(nodes, nil, nil, nil, 0), nil
	}
	need, err := neededOf(len(nodes), s.need)
	if err != nil {
		return nil, err
	}
	if need <= 1 {
		nodes = mergeWords(nodes)
	}
	return newBoolean(nil, nil, nodes, nil, need), nil
}

// wordOf asks a field for the terms of one position.
func (c *Context) wordOf(f *mapping.Field, words []string, begun bool, s matchSpec) (Node, error) {
	switch {
	case len(words) > 1:
		return newSynonyms(c.column(f), words), nil
	case begun:
		return c.prefixQuery(f.Name, words[0], false, "")
	case s.fuzzy.on:
		return c.fuzzyTerm(f, words[0], s.fuzzy)
	case f.Type == "keyword" || f.Kind == mapping.KindText:
		if err := searchable(f); err != nil {
			return nil, err
		}
		return unscored(f, &term{column: c.column(f), value: words[0]}), nil
	}
	return c.termQuery(f.Name, textValue(words[0]), false)
}

// mergeWords makes one clause with a higher boost of a term that is asked twice, as
// Lucene does.
func mergeWords(nodes []Node) []Node {
	count := make(map[string]int, len(nodes))
	for _, n := range nodes {
		if t, ok := n.(*term); ok {
			count[t.value]++
		}
	}
	merged := nodes[:0]
	for _, n := range nodes {
		t, ok := n.(*term)
		if !ok {
			merged = append(merged, n)
			continue
		}
		if k := count[t.value]; k > 0 {
			merged = append(merged, boost(n, float32(k)))
			count[t.value] = 0
		}
	}
	return merged
}

// phraseOf asks for the terms of a text in their order and distances.
func (c *Context) phraseOf(f *mapping.Field, words []wordsAt, s matchSpec) (Node, error) {
	what := "phrase"
	if s.kind == matchPhrasePrefix {
		what = "phrase prefix"
	}
	if f.Kind != mapping.KindText {
		return nil, notOnText(what, f)
	}
	if err := positioned(f); err != nil {
		return nil, err
	}
	slots, positions := make([][]string, len(words)), make([]int, len(words))
	for i, at := range words {
		slots[i], positions[i] = at.words, at.position
	}
	if s.kind == matchPhrasePrefix {
		return &phrasePrefix{c.column(f), slots, positions, s.slop, max(1, s.fuzzy.maxExpansions)}, nil
	}
	return newPhrase(c.column(f), slots, positions, s.slop), nil
}

// positioned is the error of a text that does not know where its terms stand.
func positioned(f *mapping.Field) *eserr.Error {
	if f.IndexOptions != "positions" && f.IndexOptions != "offsets" {
		return eserr.IllegalState("field:[%s] was indexed without position data; cannot run PhraseQuery", f.Name)
	}
	return nil
}
