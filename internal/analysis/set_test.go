package analysis

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"postern/internal/eserr"
)

func TestSet(t *testing.T) {
	s, err := ParseSet(maps.All(map[string][]string{
		"index.analysis.analyzer.a.type":             {"standard"},
		"index.analysis.analyzer.a.stopwords":        {"foo", "bar"},
		"index.analysis.analyzer.a.max_token_length": {"4"},
		"index.analysis.analyzer.b.tokenizer":        {"whitespace"},
		"index.analysis.analyzer.b.filter":           {"lowercase", "own"},
		"index.analysis.filter.own.type":             {"stop"},
		"index.analysis.filter.own.stopwords.0":      {"x"},
		"index.analysis.filter.own.stopwords.1":      {"y"},
		"index.analysis.normalizer.n.filter":         {"lowercase"},
		"index.number_of_shards":                     {"1"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "quic k dog", "b": "quick foo-dog"} {
		a, ok := s.Analyzer(name)
		if !ok || a.Name() != name {
			t.Fatal(name)
		}
		var got []string
		for _, k := range a.Tokens(nil, map[string]string{"a": "Quick foo dog", "b": "X Quick foo-Dog Y"}[name]) {
			got = append(got, k.Term)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
	if lower, ok := s.Normalizer("n"); !lower || !ok {
		t.Error("normalizer n")
	}
	if _, ok := s.Analyzer("standard"); !ok {
		t.Error("the builtin ones are gone")
	}
}

func TestSetRefusals(t *testing.T) {
	for name, want := range map[string]string{
		"analyzer.x.type=foo":                             "400 Unknown analyzer type [foo] for [x]",
		"analyzer.x.type=english":                         "501 the type [english] of the analyzer [x] is not supported",
		"analyzer.x.filter=lowercase":                     "400 analyzer [x] must specify either an analyzer type, or a tokenizer",
		"analyzer.x.type=custom":                          "400 Custom Analyzer [x] must be configured with a tokenizer",
		"analyzer.x.tokenizer=ngram":                      "501 the tokenizer [ngram] of the analyzer [x] is not supported",
		"normalizer.x.filter=asciifolding":                "501 the filter [asciifolding] of the normalizer [x] is not supported",
		"char_filter.x.type=html_strip":                   "501 [index.analysis.char_filter] is not supported",
		"analyzer.x.type=stop analyzer.x.stopwords=_foo_": "501 [stopwords] [_foo_] of the analyzer [x] is not supported",
	} {
		settings := map[string][]string{}
		for s := range strings.FieldsSeq(name) {
			k, v, _ := strings.Cut(s, "=")
			settings["index.analysis."+k] = []string{v}
		}
		_, err := ParseSet(maps.All(settings))
		if e, ok := eserr.As(err); !ok || fmt.Sprint(e.Status, " ", e.Reason) != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
