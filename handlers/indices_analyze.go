package handlers

import (
	"context"
	"unicode/utf16"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/analysis"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
)

// IndicesAnalyze shows the tokens that an analyzer makes of a text.
func (i *Indices) IndicesAnalyze(ctx context.Context, r *api.IndicesAnalyzeRequest) (routes.Answer, error) {
	if !r.HasBody {
		return nil, eserr.ParseError("request body or source parameter is required")
	}
	b := &r.Body
	if wrong := validateAnalyze(r); wrong != nil {
		return nil, eserr.ActionValidation(wrong...)
	}
	if len(b.Attributes) > 0 && deref(b.Explain) {
		return nil, eserr.Refused("[attributes] of [analyze_request] is not supported in this version of Postern")
	}
	var ix *metadata.Index
	if r.Index != "" {
		state, err := i.State(ctx)
		if err != nil {
			return nil, err
		}
		if ix, _, err = state.ReadIndex(r.Index); err != nil {
			return nil, err
		}
	}
	if b.Tokenizer.Exists() {
		return customAnalysis(b, ix)
	}
	analyze, name, err := namedAnalysis(b, ix)
	if err != nil {
		return nil, err
	}
	gap := 0 // the analyzers of no index know none
	if ix != nil {
		gap = analysis.PositionIncrementGap
	}
	tokens, err := tokensOf(b.Text, analyze, ix, gap)
	if err != nil {
		return nil, err
	}
	if deref(b.Explain) {
		return &answer.Analyze{Detail: &answer.AnalyzeDetail{Analyzer: &answer.AnalyzerDetail{Name: name, Tokens: explained(tokens)}}}, nil
	}
	return &answer.Analyze{Tokens: plainTokens(tokens)}, nil
}

func validateAnalyze(r *api.IndicesAnalyzeRequest) (wrong []string) {
	b := &r.Body
	if len(b.Text) == 0 {
		wrong = append(wrong, "text is missing")
	}
	if r.Index == "" && b.Normalizer != nil {
		wrong = append(wrong, "index is required if normalizer is specified")
	}
	if b.Normalizer != nil && (b.Tokenizer.Exists() || b.Analyzer != nil) {
		wrong = append(wrong, "tokenizer/analyze should be null if normalizer is specified")
	}
	extra := b.Tokenizer.Exists() || len(b.Filter) > 0 || len(b.CharFilter) > 0
	switch {
	case b.Analyzer != nil && extra:
		wrong = append(wrong, "cannot define extra components on a named analyzer")
	case b.Normalizer != nil && extra:
		wrong = append(wrong, "cannot define extra components on a named normalizer")
	case b.Field != nil && extra:
		wrong = append(wrong, "cannot define extra components on a field-specific analyzer")
	}
	return wrong
}

// analyzer turns one text into tokens.
type analyzer func(text string) []analysis.Token

func tokensBy(a *analysis.Analyzer) analyzer {
	return func(text string) []analysis.Token { return a.Tokens(nil, text) }
}

// namedAnalysis finds the analyzer that a request means: by its name, by a field's, or
// the standard one.
func namedAnalysis(b *api.IndicesAnalyzeBody, ix *metadata.Index) (analyzer, string, error) {
	switch {
	case b.Analyzer != nil:
		a, ok := analysis.Builtin(*b.Analyzer)
		if ix != nil {
			a, ok = ix.Mapping.Analyzer(*b.Analyzer)
		}
		switch {
		case ok:
			return tokensBy(a), *b.Analyzer, nil
		case ix == nil:
			return nil, "", eserr.IllegalArgument("failed to find global analyzer [%s]", *b.Analyzer)
		}
		return nil, "", eserr.IllegalArgument("failed to find analyzer [%s]", *b.Analyzer)
	case b.Normalizer != nil:
		lower, ok := ix.Mapping.Options().Analyzers.Normalizer(*b.Normalizer)
		if !ok {
			return nil, "", eserr.IllegalArgument("failed to find normalizer under [%s]", *b.Normalizer)
		}
		return normalizing(lower), *b.Normalizer, nil
	case b.Field != nil:
		return fieldAnalysis(*b.Field, ix)
	case len(b.Filter) > 0 || len(b.CharFilter) > 0:
		// Without a tokenizer the text is one token, by a tokenizer that only a module has.
		return nil, "", eserr.IllegalArgument("failed to find global tokenizer under [keyword]")
	}
	name := "default"
	if ix == nil {
		name = "standard"
	} else if a, ok := ix.Mapping.Analyzer("default"); ok {
		return tokensBy(a), name, nil
	}
	a, _ := analysis.Builtin("standard")
	return tokensBy(a), name, nil
}

func fieldAnalysis(name string, ix *metadata.Index) (analyzer, string, error) {
	if ix == nil {
		return nil, "", eserr.IllegalArgument("analysis based on a specific field requires an index")
	}
	f := ix.Mapping.Field(name)
	switch {
	case f == nil:
		a, ok := ix.Mapping.Analyzer("default")
		if !ok {
			a, _ = analysis.Builtin("standard")
		}
		return tokensBy(a), "default", nil
	case f.Analyzer != nil:
		return tokensBy(f.Analyzer), f.Analyzer.Name(), nil
	case f.Kind == mapping.KindKeyword:
		return normalizing(f.Lowercase), "keyword", nil
	}
	return nil, "", eserr.IllegalArgument("Can't process field [%s], Analysis requests are only supported on tokenized fields", name)
}

// normalizing makes one token of the whole text.
func normalizing(lower bool) analyzer {
	return func(text string) []analysis.Token {
		term := text
		if lower {
			term = analysis.Lowercase(text)
		}
		return []analysis.Token{{Term: term, End: units(text), Type: "word"}}
	}
}

func units(text string) int { return len(utf16.Encode([]rune(text))) }

// tokensOf analyses several texts as the values of one field: positions and offsets go on
// from one to the next, positions with a gap.
func tokensOf(texts []string, analyze analyzer, ix *metadata.Index, gap int) ([]analysis.Token, error) {
	limit := 10000
	if ix != nil {
		limit = ix.Settings.Int("index.analyze.max_token_count", limit)
	}
	var all []analysis.Token
	position, offset := -1, 0
	for n, text := range texts {
		base := 0
		if n > 0 {
			base = position + 1 + gap
		}
		for _, t := range analyze(text) {
			t.Position += base
			t.Start += offset
			t.End += offset
			position = t.Position
			all = append(all, t)
		}
		offset += units(text) + 1
		if len(all) > limit {
			return nil, eserr.IllegalState("The number of tokens produced by calling _analyze has exceeded the allowed maximum of [%d]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.", limit)
		}
	}
	return all, nil
}

func plainTokens(tokens []analysis.Token) []answer.AnalyzeToken {
	list := make([]answer.AnalyzeToken, len(tokens))
	for n, t := range tokens {
		list[n] = answer.AnalyzeToken{Token: t.Term, StartOffset: int64(t.Start), EndOffset: int64(t.End), Type: t.Type, Position: int64(t.Position)}
	}
	return list
}

func explained(tokens []analysis.Token) []answer.ExplainAnalyzeToken {
	list := make([]answer.ExplainAnalyzeToken, len(tokens))
	for n, t := range tokens {
		list[n] = answer.ExplainAnalyzeToken{Token: t.Term, StartOffset: int64(t.Start), EndOffset: int64(t.End), Type: t.Type,
			Position: int64(t.Position), Bytes: hexBytes(t.Term), PositionLength: 1, TermFrequency: 1}
	}
	return list
}

// hexBytes is how Lucene shows the bytes of a term: [61 62].
func hexBytes(term string) string {
	const digits = "0123456789abcdef"
	out := []byte{'['}
	for n := range len(term) {
		if n > 0 {
			out = append(out, ' ')
		}
		if hi := term[n] >> 4; hi > 0 {
			out = append(out, digits[hi])
		}
		out = append(out, digits[term[n]&15])
	}
	return string(append(out, ']'))
}

// componentName is the name of a part of a custom analyzer, or its type when it is
// defined on the spot.
func componentName(v jsonx.Value) (name string, defined bool) {
	if v.Kind() == jsonx.Object {
		return v.Get("type").Text(), true
	}
	return v.Text(), false
}
