package jsonx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestParseReadsWhatElasticsearchTakes(t *testing.T) {
	v := MustParse("/* a */ {\"a\": [1, 2.50, -3e2, \"x\\u00e9\\ud83d\\ude00\"], // b\n \"o\": {\"t\": true, \"n\": null}, \"big\": 9007199254740993, \"lone\":\"\\ud800\"} ")
	var names []string
	for k := range v.Members() {
		names = append(names, k.Text())
	}
	if diff := cmp.Diff([]string{"a", "o", "big", "lone"}, names); diff != "" {
		t.Error(diff)
	}
	var texts []string
	for e := range v.Get("a").Elements() {
		texts = append(texts, e.Text())
	}
	if diff := cmp.Diff([]string{"1", "2.50", "-3e2", "xé😀"}, texts); diff != "" {
		t.Error(diff)
	}
	if n, ok := v.Get("big").Int64(); n != 9007199254740993 || !ok {
		t.Error(n, ok)
	}
	if k := v.Get("o").Get("n").Kind(); k != Null {
		t.Error("null is", k)
	}
	if v.Get("nope").Exists() || v.Get("a").Get("x").Exists() {
		t.Error("an absent value exists")
	}
	if line, col := v.Get("o").Pos(); line != 2 || col != 7 {
		t.Errorf("o at %d:%d", line, col)
	}
	if got := v.Get("lone").Text(); got != "\uFFFD" {
		t.Errorf("lone surrogate %q", got)
	}
	if got := string(Compact(nil, v.Get("o"))); got != `{"t":true,"n":null}` {
		t.Error(got)
	}
}

// The messages and positions were given by Elasticsearch 8.15.0.
func TestSyntaxErrorsAreJacksons(t *testing.T) {
	for body, want := range map[string]string{
		`{"a":tru}`: "[1:10] Unrecognized token 'tru': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
		`{"a" 1}`:   "[1:7] Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value",
		`{'a':1}`:   "[1:3] Unexpected character (''' (code 39)): was expecting double-quote to start field name",
		`{"a":01}`:  "[1:7] Invalid numeric value: Leading zeroes not allowed",
		`{"a":NaN}`: "[1:9] Non-standard token 'NaN': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow",
		`{"a":`:     "[1:6] Unexpected end-of-input within/between Object entries",
		`{"query":{"match_all":{}} , "query":{}}`: "[1:36] Duplicate field 'query'",
		`{"query":{"match_all":{}}}{`:             "[1:27] Unexpected token [START_OBJECT] found after the main object.",
	} {
		_, err := Parse([]byte(body))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", body, err, want)
		}
	}
}

func TestDuplicatesInLargeObjects(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"o":{`)
	for i := range 40 {
		fmt.Fprintf(&b, `"k%d":{"k%d":1},`, i, i)
	}
	if _, err := Parse([]byte(b.String() + `"z":1}}`)); err != nil {
		t.Error(err)
	}
	if _, err := Parse([]byte(b.String() + `"k3":1}}`)); err == nil {
		t.Error("a duplicate passes")
	}
}

func TestDepthIsBounded(t *testing.T) {
	if _, err := Parse([]byte(strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth))); err != nil {
		t.Error(err)
	}
	if _, err := Parse([]byte(strings.Repeat(`[`, 5_000_000))); err == nil {
		t.Error("five million brackets pass")
	}
}

const typicalSearch = `{"query":{"bool":{"must":[{"match":{"title":{"query":"quick brown fox","operator":"and"}}}],"filter":[{"term":{"category":"books"}},{"range":{"price":{"gte":10,"lt":100.5}}},{"terms":{"tag":["a","b","c"]}}],"should":[{"match_phrase":{"body":"lazy dog"}}],"minimum_should_match":1}},"from":0,"size":20,"sort":[{"price":{"order":"asc","missing":"_last"}},"_score"],"_source":["title","price"],"track_total_hits":true,"aggs":{"by_category":{"terms":{"field":"category","size":20},"aggs":{"avg_price":{"avg":{"field":"price"}}}}}}`

func BenchmarkParseSearch(b *testing.B) {
	src := []byte(typicalSearch)
	var tape Tape
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseReuse(&tape, src); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzParse: nothing panics, jsontext agrees on what is JSON, and what is taken reads
// the same after Compact.
func FuzzParse(f *testing.F) {
	for _, s := range []string{typicalSearch, `{"a":[1,2.5e-3,"\ud83d\ude00",null]}`, "// c\n[true]", `"\ud800"`, `{"a":1,"a":2}`, "\xff", "[[[", `{"a"`,
		`{"\u0061":1,"a":2}`, "-0.0E+07", "/**/ 1 /**/", "\xef\xbb\xbf{}", `["a" "b"]`, `{"a":1}}`} {
		f.Add([]byte(s))
	}
	var tape Tape
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := ParseReuse(&tape, b)
		if !bytes.ContainsRune(b, '/') && !bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
			var syntax *SyntaxError
			limit := errors.As(err, &syntax) && syntax.Limit
			if want := isJSON(b); want != (err == nil && v.Exists()) && !limit {
				t.Fatalf("%q: JSON is %v, got %v", b, want, err)
			}
		}
		var broken *SyntaxError
		if errors.As(err, &broken) {
			line, col := broken.Standing()
			if read := broken.Read(); show(read) == "" && read.Exists() || line < 1 || col < 0 {
				t.Fatalf("%q: nothing was read, or the parser stands at %d:%d", b, line, col)
			}
		}
		if err != nil || !v.Exists() {
			return
		}
		once := Compact(nil, v)
		again, err := Parse(once)
		if err != nil {
			t.Fatalf("%q is taken, its compact form %q is not: %v", b, once, err)
		}
		if twice := Compact(nil, again); string(twice) != string(once) {
			t.Fatalf("%q then %q", once, twice)
		}
	})
}

// isJSON asks another parser. It takes the escapes of lone surrogates, as we do.
func isJSON(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(bytes.Clone(b)), jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadValue(); err != nil {
		return false
	}
	_, err := d.ReadToken()
	return err == io.EOF
}
