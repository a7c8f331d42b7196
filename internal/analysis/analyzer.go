// Package analysis turns text into terms the way Lucene's analyzers do.
package analysis

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Analyzer is a tokenizer and what is done to its tokens. It is immutable and safe for
// concurrent use.
type Analyzer struct {
	name      string
	tokenizer tokenizer
	maxLength int // of a token, in UTF-16 code units; 0 is no limit
	lowercase bool
	stop      map[string]struct{}
}

// PositionIncrementGap is the distance that text fields put between two values.
const PositionIncrementGap = 100

// defaultMaxTokenLength is the max_token_length of standard and whitespace.
const defaultMaxTokenLength = 255

// Name is the name by which mappings refer to the analyzer.
func (a *Analyzer) Name() string { return a.name }

// Tokens appends the tokens of a text. Terms may share the text's memory.
func (a *Analyzer) Tokens(dst []Token, text string) []Token {
	from := len(dst)
	dst = a.tokenizer(dst, text, a.maxLength)
	if !a.lowercase && a.stop == nil {
		return dst
	}
	kept := dst[:from]
	for _, t := range dst[from:] {
		if a.lowercase {
			t.Term = lower(t.Term)
		}
		if _, stop := a.stop[t.Term]; stop {
			continue
		}
		kept = append(kept, t)
	}
	return kept
}

// Builtin gives one of Elasticsearch's analyzers by name: standard (or default), simple,
// whitespace, keyword and stop.
func Builtin(name string) (*Analyzer, bool) {
	switch name {
	case "standard", "default":
		return &Analyzer{name: name, tokenizer: standard, maxLength: defaultMaxTokenLength, lowercase: true}, true
	case "simple":
		return &Analyzer{name: name, tokenizer: letters, maxLength: defaultMaxTokenLength, lowercase: true}, true
	case "whitespace":
		return &Analyzer{name: name, tokenizer: whitespace, maxLength: defaultMaxTokenLength}, true
	case "keyword":
		return &Analyzer{name: name, tokenizer: whole}, true
	case "stop":
		return &Analyzer{name: name, tokenizer: letters, maxLength: defaultMaxTokenLength, lowercase: true, stop: stopSet(EnglishStopWords())}, true
	}
	return nil, false
}

// EnglishStopWords is Lucene's list that "_english_" stands for.
func EnglishStopWords() []string {
	return []string{"a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it",
		"no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with"}
}

func stopSet(words []string) map[string]struct{} {
	if len(words) == 0 {
		return nil
	}
	set := make(map[string]struct{}, len(words))
	for _, w := range words {
		set[w] = struct{}{}
	}
	return set
}

// lower is Lucene's LowerCaseFilter; text in lower case comes back as it is.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return lowerFrom(s, i)
		}
	}
	return s
}

func lowerFrom(s string, i int) string {
	out := append(make([]byte, 0, len(s)), s[:i]...)
	for _, r := range s[i:] {
		out = utf8.AppendRune(out, unicode.ToLower(r))
	}
	return string(out)
}

// Lowercase is the term of the lowercase normalizer.
func Lowercase(s string) string { return lower(s) }

// WithName is the same analyzer under another name.
func (a *Analyzer) WithName(name string) *Analyzer {
	b := *a
	b.name = name
	return &b
}

// WithStopWords is the analyzer without those terms.
func (a *Analyzer) WithStopWords(words []string) *Analyzer {
	b := *a
	b.stop = stopSet(slices.Clone(words))
	return &b
}

// WithMaxTokenLength is the analyzer with longer tokens cut at that many UTF-16 units.
func (a *Analyzer) WithMaxTokenLength(n int) *Analyzer {
	b := *a
	b.maxLength = n
	return &b
}

// Custom is an analyzer of a tokenizer (standard, whitespace, keyword, letter, lowercase)
// with lower case and stop words as asked for; ok is false for any other tokenizer.
func Custom(name, tokenizerName string, lowercase bool, stopWords []string) (a *Analyzer, ok bool) {
	a = &Analyzer{name: name, maxLength: defaultMaxTokenLength, lowercase: lowercase, stop: stopSet(stopWords)}
	switch tokenizerName {
	case "standard":
		a.tokenizer = standard
	case "whitespace":
		a.tokenizer = whitespace
	case "keyword":
		a.tokenizer, a.maxLength = whole, 0
	case "letter":
		a.tokenizer = letters
	case "lowercase":
		a.tokenizer, a.lowercase = letters, true
	default:
		return nil, false
	}
	return a, true
}
