package recording_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/conformance/recording"
)

const example = `# A document is written and read.
# Its number is kept.

engine elasticsearch 8.15.0
index cf-a cf-b
template cf-t
data movies
covers endpoint index, query term
ignore **.took
tolerance 1e-05 **._score

# why
> PUT /cf-a/_doc/1?refresh=true
+ X-Opaque-Id: 7
+ Content-Type:
{"a":1,

 "b":2}
< 201
+ Location: /cf-a/_doc/1
~ capture seq _seq_no
~ ignore _shards.total
{"_id":"1","_seq_no":"${seq}"}

> POST /cf-a/_bulk
{"index":{}}
{"a":1}
< 200
{"errors":false}

> POST /cf-a/_bulk
= "{\"index\":{}}\n"
= "\xff"
< 400
~ error
{"error":{"type":"x"}}

> GET /_cat/indices?if_seq_no=${seq}
< 200
+ Content-Type: text/plain; charset=UTF-8
~ exact
a b
c

> HEAD /cf-a
< 200

> GET /
`

func TestParseAndFormatAreInverse(t *testing.T) {
	r, err := recording.Parse([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(example, string(recording.Format(r))); diff != "" {
		t.Error(diff)
	}
	bodies := map[int]string{0: "{\"a\":1,\n\n \"b\":2}", 1: "{\"index\":{}}\n{\"a\":1}\n", 2: "{\"index\":{}}\n\xff"}
	for i, want := range bodies {
		if diff := cmp.Diff(want, string(r.Exchanges[i].Request.Body)); diff != "" {
			t.Errorf("body %d: %s", i, diff)
		}
	}
	if got := string(r.Exchanges[3].Answer.Body); got != "a b\nc\n" {
		t.Errorf("a text keeps its last newline: %q", got)
	}
	if r.Exchanges[4].Answer.Body != nil || r.Exchanges[5].Answer != nil {
		t.Error("an absent body or answer is there")
	}
}

func TestErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "line 1: a recording begins with what it is about",
		"# a\n":                                "line 1: no request",
		"# a\n\nfoo bar\n":                     `line 3: unknown rule "foo"`,
		"# a\nengine\n":                        "line 2: engine says nothing",
		"# a\nengine x\nengine y\n":            "line 3: a second engine",
		"# a\nindex cf-*\n":                    `line 2: "cf-*" is no plain name`,
		"# a\nindex _all\n":                    `line 2: "_all" is no plain name`,
		"# a\nignore **\n":                     "line 2: ignore ** would hide a whole body",
		"# a\nignore *.**\n":                   "would hide a whole body",
		"# a\nerror\n":                         "line 2: error says nothing",
		"# a\ncapture x y\n":                   "line 2: capture stands in an exchange",
		"# a\ntolerance 2 a\n":                 "line 2: tolerance needs a number",
		"# a\n\n> GET\n":                       "line 3: a request is > METHOD /path",
		"# a\n\n> GET /\n< abc\n":              "line 4: an answer is < STATUS",
		"# a\n\n> GET /\n+ nothing\n":          "line 4: a header is + Name: value",
		"# a\n\n> GET /\n< 200\n~ nope\n":      `line 5: unknown rule "nope"`,
		"# a\n\n> GET /\n{}\n~ exact\n":        "line 5: \"~ exact\" stands in a body",
		"# a\n\n> GET /\n= x\n":                "line 4: a quoted body line",
		"# a\n\n> GET /\n= \"a\"\nb\n":         "line 5: a quoted body line",
		"# a\n\n> GET /${x}\n":                 "line 3: ${x} is used before it is captured",
		"# a\n\n> GET /\n< 200\n\n# note\n":    "line 6: a request (> METHOD /path) has to come here",
		"# a\n\n> GET /\n< 200\n< 200\n":       "line 5: a request (> METHOD /path) has to come here",
		"# a\n\n> GET /\n< 200\n~ capture 1 a": `line 5: "1" is no name for a capture`,
	} {
		_, err := recording.Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestReferences(t *testing.T) {
	got := recording.References("a ${b} ${c_1} ${b} ${D} ${ ${e")
	if diff := cmp.Diff([]string{"b", "c_1"}, got); diff != "" {
		t.Error(diff)
	}
}

// FuzzParse holds that what is taken is written back to the same recording, and that
// nothing makes the parser panic.
func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("# a\n\n> GET /\n< 200\n= \"\"\n"))
	f.Add([]byte("# a\n> GET /x?${a\n{}\n<200"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := recording.Parse(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") {
				t.Fatalf("the error names no line: %v", err)
			}
			return
		}
		again, err := recording.Parse(recording.Format(r))
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, recording.Format(r))
		}
		for i := range r.Exchanges {
			r.Exchanges[i].Line, again.Exchanges[i].Line = 0, 0
		}
		if diff := cmp.Diff(r, again); diff != "" {
			t.Fatal(diff)
		}
	})
}
