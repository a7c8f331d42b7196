package termregexp

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Every line of the file was written by Lucene 9.11: an expression, then either the error
// of reading it, or which of the fixed terms match and some more terms, each behind a 1
// or a 0. Three lines are left out: for Lucene the repetition of nothing does not even
// match the empty term.
func TestAsLucene(t *testing.T) {
	fixed := []string{"", "a", "b", "ab", "abc", "aab", "0", "1", "10", "007", "29", "a b", " ", "é", "-", "\\", "abab", "baba", "a1b0c", "aaaaaa", "100", "z"}
	b, err := os.ReadFile("testdata/lucene9.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		text := plain(t, c[0])
		r, err := Parse(text)
		if c[1] == "error" {
			if err == nil || err.Error() != c[2] {
				t.Errorf("%s: %v, want %s", text, err, c[2])
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		a, err := r.Compile()
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for i, term := range fixed {
			if got := a.Match([]byte(term)); got != (c[1][i] == '1') {
				t.Errorf("%s on %q: %v", text, term, got)
			}
		}
		for _, w := range c[2:] {
			term := plain(t, w[1:])
			if got := a.Match([]byte(term)); got != (w[0] == '1') {
				t.Errorf("%s on %q: %v", text, term, got)
			}
		}
	}
}

func plain(t *testing.T, s string) string {
	t.Helper()
	out, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(s, `"`, `\"`), `\ud83d\ude00`, `\U0001F600`) + `"`)
	if err != nil {
		t.Fatal(s, err)
	}
	return out
}

func TestTooComplex(t *testing.T) {
	for _, text := range []string{".*a.{20}", "((a{1,300}){1,300}b){1,300}", "~(.*a.{18})&@"} {
		r, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Compile(); !errors.Is(err, ErrTooComplex) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a|b&~c", "[^a-c]{2,5}", "<1-250>", `"a"@#`, "(a?){3}.*"} {
		f.Add(s, []byte("abc"))
	}
	f.Fuzz(func(_ *testing.T, text string, term []byte) {
		if len(text) > 60 {
			return
		}
		r, err := Parse(text)
		if err != nil {
			return
		}
		if a, err := r.Compile(); err == nil {
			a.Match(term)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	r, _ := Parse("[a-z]+-<1-500>|~(x.*)&.{3}")
	a, err := r.Compile()
	if err != nil {
		b.Fatal(err)
	}
	term := []byte("product-417")
	b.ReportAllocs()
	for b.Loop() {
		a.Match(term)
	}
}

// An optional operator that is off is a character like others, and letters match in
// either case only where that is asked, and never in ranges.
func TestSyntax(t *testing.T) {
	for _, c := range []struct {
		text   string
		syntax Syntax
		term   string
		want   bool
	}{
		{"a&b", 0, "a&b", true},
		{"a.*&.*b", Intersection, "axb", true},
		{"~a", 0, "~a", true},
		{"~a", Complement, "b", true},
		{"@", 0, "@", true},
		{"@", AnyString, "x", true},
		{"#", 0, "#", true},
		{"<1-3>", 0, "<1-3>", true},
		{"<1-3>", Interval, "2", true},
		{"ab", FoldCase, "Ab", true},
		{`"ab"`, FoldCase, "AB", true},
		{"[a-c]", FoldCase, "B", false},
		{"[b]", FoldCase, "B", true},
		{"é", FoldCase, "É", false},
	} {
		r, err := ParseSyntax(c.text, c.syntax)
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		a, err := r.Compile()
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if _, got := a.MatchString(c.term); got != c.want {
			t.Errorf("%s with %06b matches %s: %v, want %v", c.text, c.syntax, c.term, got, c.want)
		}
	}
}

// What a term is turned away after can't begin any term that matches.
func TestDeadPrefix(t *testing.T) {
	r, err := Parse("ab[cd]")
	if err != nil {
		t.Fatal(err)
	}
	a, err := r.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for term, want := range map[string]int{"abc": -1, "ab": -1, "axc": 2, "abcx": 4} {
		if dead, _ := a.MatchString(term); dead != want {
			t.Errorf("%s is dead after %d, want %d", term, dead, want)
		}
	}
}
