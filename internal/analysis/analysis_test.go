package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The right sides were given by Elasticsearch 8.15.0's _analyze.
func TestStandard(t *testing.T) {
	a, _ := Builtin("standard")
	for text, want := range map[string][]Token{
		"a:b":                {{"a:b", 0, 0, 3, alphanum}},
		"3,14 x":             {{"3,14", 0, 0, 4, num}, {"x", 1, 5, 6, alphanum}},
		"o'neil":             {{"o'neil", 0, 0, 6, alphanum}},
		"a_b _ __":           {{"a_b", 0, 0, 3, alphanum}},
		"1a a1":              {{"1a", 0, 0, 2, alphanum}, {"a1", 1, 3, 5, alphanum}},
		"a,b":                {{"a", 0, 0, 1, alphanum}, {"b", 1, 2, 3, alphanum}},
		"1:2":                {{"1", 0, 0, 1, num}, {"2", 1, 2, 3, num}},
		"a;b 1;2":            {{"a", 0, 0, 1, alphanum}, {"b", 1, 2, 3, alphanum}, {"1;2", 2, 4, 7, num}},
		"a.1 1.a":            {{"a", 0, 0, 1, alphanum}, {"1", 1, 2, 3, num}, {"1", 2, 4, 5, num}, {"a", 3, 6, 7, alphanum}},
		"don''t x'":          {{"don", 0, 0, 3, alphanum}, {"t", 1, 5, 6, alphanum}, {"x", 2, 7, 8, alphanum}},
		"e-mail foo@bar.com": {{"e", 0, 0, 1, alphanum}, {"mail", 1, 2, 6, alphanum}, {"foo", 2, 7, 10, alphanum}, {"bar.com", 3, 11, 18, alphanum}},
		"1,000.50 1_000":     {{"1,000.50", 0, 0, 8, num}, {"1_000", 1, 9, 14, num}},
		"日本 テスト ひら 한국어":      {{"日", 0, 0, 1, ideographic}, {"本", 1, 1, 2, ideographic}, {"テスト", 2, 3, 6, katakana}, {"ひ", 3, 7, 8, hiragana}, {"ら", 4, 8, 9, hiragana}, {"한국어", 5, 10, 13, hangul}},
		"ไทย ภาษา":           {{"ไทย", 0, 0, 3, southeastAsian}, {"ภาษา", 1, 4, 8, southeastAsian}},
		"😀 hi 👍🏽 🇩🇪":         {{"😀", 0, 0, 2, emoji}, {"hi", 1, 3, 5, alphanum}, {"👍🏽", 2, 6, 10, emoji}, {"🇩🇪", 3, 11, 15, emoji}},
		"ﬁ Ⅷ ½ ²":            {{"ﬁ", 0, 0, 1, alphanum}, {"ⅷ", 1, 2, 3, alphanum}},
		"Naïve ÜNÏ ß İ":      {{"naïve", 0, 0, 5, alphanum}, {"ünï", 1, 6, 9, alphanum}, {"ß", 2, 10, 11, alphanum}, {"i", 3, 12, 13, alphanum}},
		"a\u200db":           {{"a\u200db", 0, 0, 3, alphanum}},
		"\u0661\u0662 x":     {{"\u0661\u0662", 0, 0, 2, num}, {"x", 1, 3, 4, alphanum}},
		"":                   nil,
	} {
		if diff := cmp.Diff(want, a.Tokens(nil, text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	var cuts [][3]int
	for _, k := range a.Tokens(nil, strings.Repeat("x", 600)) {
		cuts = append(cuts, [3]int{len(k.Term), k.Start, k.Position})
	}
	if diff := cmp.Diff([][3]int{{255, 0, 0}, {255, 255, 1}, {90, 510, 2}}, cuts); diff != "" {
		t.Error(diff)
	}
}

func TestOtherBuiltins(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []Token
	}{
		{"stop", "the Quick and dirty", []Token{{"quick", 1, 4, 9, word}, {"dirty", 3, 14, 19, word}}},
		{"simple", "a1b x's İ", []Token{{"a", 0, 0, 1, word}, {"b", 1, 2, 3, word}, {"x", 2, 4, 5, word}, {"s", 3, 6, 7, word}, {"i", 4, 8, 9, word}}},
		{"keyword", "A b", []Token{{"A b", 0, 0, 3, word}}},
		{"whitespace", "A  b\u00a0c", []Token{{"A", 0, 0, 1, word}, {"b\u00a0c", 1, 3, 6, word}}},
	} {
		a, ok := Builtin(c.name)
		if !ok {
			t.Fatal(c.name)
		}
		if diff := cmp.Diff(c.want, a.Tokens(nil, c.text)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func BenchmarkStandardASCII(b *testing.B) {
	a, _ := Builtin("standard")
	text := strings.Repeat("quick brown fox jumps over lazy dogs ", 8)
	var tokens []Token
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tokens = a.Tokens(tokens[:0], text)
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"a:b 3,14", "日本語 ไทย 👍🏽", "\xff\u200d:", "x:ü:1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"standard", "simple", "whitespace", "keyword", "stop"} {
			a, _ := Builtin(name)
			last := -1
			for _, k := range a.Tokens(nil, text) {
				if k.Term == "" || k.Start >= k.End || k.Position <= last {
					t.Fatalf("%s of %q: %+v after position %d", name, text, k, last)
				}
				last = k.Position
			}
		}
	})
}
