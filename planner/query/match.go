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

// matchSpec is what the clauses of the match family have in common.
type matchSpec struct {
	clause    string // its name, for errors
	text      jsonx.Value
	analyzer  *string
	all       bool // operator and
	need      string
	lenient   bool
	zeroTerms bool // zero_terms_query all
	phrase    bool
	slop      int
}

func parseMatch(c *Context, q *gen.QueryContainer) (Node, error) {
	m := &q.Match.Value
	n, err := c.matchQuery(q.Match.Key, matchSpec{
		clause: "match", text: m.Query, analyzer: m.Analyzer, all: m.Operator == gen.OperatorAnd,
		need: m.MinimumShouldMatch, lenient: isTrue(m.Lenient), zeroTerms: m.ZeroTermsQuery == gen.ZeroTermsQueryAll,
	})
	if err != nil {
		return nil, err
	}
	return c.finish(n, m.Boost, m.Name)
}

func isTrue(b *bool) bool { return b != nil && *b }

// matchQuery analyzes a text for one field and combines its terms.
func (c *Context) matchQuery(name string, s matchSpec) (Node, error) {
	analyzer, err := c.analyzerNamed(s)
	if err != nil {
		return nil, err
	}
	f := c.field(name)
	if f != nil && f.SplitQueriesOnWhitespace && !s.phrase {
		return c.splitKeyword(f, s)
	}
	if f == nil || f.Kind != mapping.KindText {
		n, err := c.termQuery(name, s.text, false)
		var e *eserr.Error
		if s.lenient && errors.As(err, &e) && e.Status == 400 {
			return matchNone{}, nil
		}
		return n, err
	}
	if err := searchable(f); err != nil {
		return nil, err
	}
	if analyzer == nil {
		analyzer = f.SearchAnalyzer
		if s.phrase {
			analyzer = f.SearchQuoteAnalyzer
		}
	}
	tokens := analyzer.Tokens(nil, s.text.Text())
	col := c.column(f)
	if len(tokens) == 0 {
		if s.zeroTerms {
			return matchAll{}, nil
		}
		return matchNone{}, nil
	}
	if s.phrase {
		if len(tokens) > 1 && f.IndexOptions != "positions" && f.IndexOptions != "offsets" {
			return nil, eserr.IllegalState("field:[%s] was indexed without position data; cannot run PhraseQuery", f.Name)
		}
		return phraseOf(col, tokens, s.slop), nil
	}
	return wordsOf(col, tokens, s)
}

// splitKeyword asks a keyword for each of the words of a text.
func (c *Context) splitKeyword(f *mapping.Field, s matchSpec) (Node, error) {
	if err := searchable(f); err != nil {
		return nil, err
	}
	var tokens []analysis.Token
	for _, word := range strings.Fields(s.text.Text()) {
		tokens = append(tokens, analysis.Token{Term: f.Normalize(word)})
	}
	if len(tokens) == 0 {
		if s.zeroTerms {
			return matchAll{}, nil
		}
		return matchNone{}, nil
	}
	return wordsOf(c.column(f), tokens, s)
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
func wordsOf(col column, tokens []analysis.Token, s matchSpec) (Node, error) {
	nodes := make([]Node, len(tokens))
	for i, t := range tokens {
		nodes[i] = &term{column: col, value: t.Term}
	}
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

// mergeWords makes one clause with a higher boost of a term that is asked twice, as
// Lucene does.
func mergeWords(nodes []Node) []Node {
	count := make(map[string]int, len(nodes))
	for _, n := range nodes {
		count[n.(*term).value]++
	}
	if len(count) == len(nodes) {
		return nodes
	}
	merged := nodes[:0]
	for _, n := range nodes {
		word := n.(*term).value
		if k := count[word]; k > 0 {
			merged = append(merged, boost(n, float32(k)))
			count[word] = 0
		}
	}
	return merged
}

// phraseOf asks for the terms of a text in their order and distances.
func phraseOf(col column, tokens []analysis.Token, slop int) Node {
	words := make([]string, len(tokens))
	positions := make([]int, len(tokens))
	for i, t := range tokens {
		words[i], positions[i] = t.Term, t.Position
	}
	return newPhrase(col, words, positions, slop)
}
