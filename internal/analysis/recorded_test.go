package analysis

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"postern/internal/jsonx"
)

// TestRecorded compares with what _analyze of Elasticsearch 8.15.0 made of random texts.
func TestRecorded(t *testing.T) {
	f, err := os.Open("testdata/tokens.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, n := bufio.NewScanner(f), 0
	for lines.Scan() {
		v := jsonx.MustParse(lines.Text())
		a, ok := Builtin(v.Get("a").Text())
		if !ok {
			t.Fatal(lines.Text())
		}
		text, got, want := v.Get("t").Text(), "", ""
		for _, k := range a.Tokens(nil, text) {
			got += fmt.Sprintf("%q %d %d-%d %s; ", k.Term, k.Position, k.Start, k.End, k.Type)
		}
		for k := range v.Get("k").Elements() {
			var cell []any
			for c := range k.Elements() {
				cell = append(cell, c.Text())
			}
			want += fmt.Sprintf("%q %s %s-%s %s; ", cell...)
		}
		if n++; got != want {
			t.Errorf("%s of %q\n got %s\nwant %s", a.Name(), text, got, want)
		}
	}
	if n < 300 {
		t.Errorf("only %d texts", n)
	}
}
