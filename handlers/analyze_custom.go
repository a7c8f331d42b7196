package handlers

import (
	"slices"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/analysis"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
)

// tokenFilter changes the tokens of one text.
type tokenFilter struct {
	name  string
	apply func([]analysis.Token) []analysis.Token
}

// customAnalysis runs a tokenizer and filters that the request puts together.
func customAnalysis(b *api.IndicesAnalyzeBody, ix *metadata.Index) (routes.Answer, error) {
	name, defined := componentName(b.Tokenizer)
	tokenizer, ok := analysis.Custom(name, name, false, nil)
	if !ok {
		return nil, eserr.IllegalArgument("failed to find global tokenizer under [%s]", name)
	}
	if len(b.CharFilter) > 0 {
		filter, _ := componentName(b.CharFilter[0])
		return nil, eserr.IllegalArgument("failed to find global char_filter under [%s]", filter)
	}
	if defined {
		name = "__anonymous__" + name
	}
	var filters []tokenFilter
	for _, v := range b.Filter {
		f, err := newTokenFilter(v)
		if err != nil {
			return nil, err
		}
		filters = append(filters, f)
	}
	// The tokens after the tokenizer and after each filter.
	stages := make([][]analysis.Token, len(filters)+1)
	for n := range stages {
		tokens, err := tokensOf(b.Text, func(text string) []analysis.Token {
			tokens := tokenizer.Tokens(nil, text)
			for _, f := range filters[:n] {
				tokens = f.apply(tokens)
			}
			return tokens
		}, ix, analysis.PositionIncrementGap)
		if err != nil {
			return nil, err
		}
		stages[n] = tokens
	}
	if !deref(b.Explain) {
		return &answer.Analyze{Tokens: plainTokens(stages[len(filters)])}, nil
	}
	d := &answer.AnalyzeDetail{CustomAnalyzer: true, Charfilters: []answer.CharFilterDetail{},
		Tokenizer: &answer.TokenDetail{Name: name, Tokens: explained(stages[0])}, Tokenfilters: []answer.TokenDetail{}}
	for n, f := range filters {
		d.Tokenfilters = append(d.Tokenfilters, answer.TokenDetail{Name: f.name, Tokens: explained(stages[n+1])})
	}
	return &answer.Analyze{Detail: d}, nil
}

func newTokenFilter(v jsonx.Value) (tokenFilter, error) {
	name, defined := componentName(v)
	f := tokenFilter{name: name}
	if defined {
		f.name = "__anonymous__" + name
	}
	switch name {
	case "lowercase":
		f.apply = func(tokens []analysis.Token) []analysis.Token {
			for n := range tokens {
				tokens[n].Term = analysis.Lowercase(tokens[n].Term)
			}
			return tokens
		}
	case "stop":
		words, err := stopWords(v)
		if err != nil {
			return f, err
		}
		f.apply = func(tokens []analysis.Token) []analysis.Token {
			return slices.DeleteFunc(tokens, func(t analysis.Token) bool { return slices.Contains(words, t.Term) })
		}
	default:
		return f, eserr.IllegalArgument("failed to find global filter under [%s]", name)
	}
	return f, nil
}

// stopWords are those of a stop filter: English ones unless it says others.
func stopWords(v jsonx.Value) ([]string, error) {
	words := analysis.EnglishStopWords()
	for k, m := range v.Members() {
		switch {
		case k.Is("type"):
		case !k.Is("stopwords"):
			return nil, eserr.Refused("[%s] of a [stop] filter is not supported in this version of Postern", k.Text())
		case m.Kind() == jsonx.Array:
			words = words[:0:0]
			for e := range m.Elements() {
				words = append(words, e.Text())
			}
		case m.Text() == "_none_":
			words = nil
		case m.Text() != "_english_":
			return nil, eserr.Refused("the stop words [%s] are not supported in this version of Postern", m.Text())
		}
	}
	return words, nil
}
