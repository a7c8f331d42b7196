package jsontree_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/conformance/jsontree"
)

func parse(t *testing.T, text string) jsontree.Value {
	t.Helper()
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestParseKeepsOrderDuplicatesAndDigits(t *testing.T) {
	const text = `{"b":1.0,"a":[9007199254740993,1E5,null,true,"é<"],"b":{}}`
	if got := jsontree.Compact(parse(t, text)); got != text {
		t.Errorf("got %s, want %s", got, text)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{``, `{`, `{"a":1}{}`, `[1,]`, `nope`} {
		if _, err := jsontree.Parse([]byte(text)); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
}

func TestPrettyBreaksLongLinesOnly(t *testing.T) {
	long := strings.Repeat("x", 60)
	got := jsontree.Pretty(parse(t, `{"a":[1,2],"b":{"c":"`+long+`","d":"`+long+`"}}`))
	want := "{\n  \"a\": [1,2],\n  \"b\": {\n    \"c\": \"" + long + "\",\n    \"d\": \"" + long + "\"\n  }\n}"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPaths(t *testing.T) {
	v := parse(t, `{"hits":{"hits":[{"_id":"a","f":{"x.y":1}},{"_id":"b"}]}}`)
	for path, want := range map[string]string{
		`hits.hits.1._id`:        `"b"`,
		`hits.hits.*._id`:        `"a"`,
		`**."x.y"`:               `1`,
		`hits.hits.0.f`:          `{"x.y":1}`,
		`**.hits.hits.0.f."x.y"`: `1`,
	} {
		p, err := jsontree.ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		if p.String() != path {
			t.Errorf("%s is written back as %s", path, p)
		}
		found, ok := p.Find(v)
		if got := jsontree.Compact(found); !ok || got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	for _, bad := range []string{``, `a..b`, `.a`, `a.`, `"a`, `"a"b`} {
		if p, err := jsontree.ParsePath(bad); err == nil {
			t.Errorf("%q was taken as %v", bad, p)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		path, at string
		want     bool
	}{
		{"**.took", "took", true},
		{"**.took", "responses/0/took", true},
		{"took", "responses/0/took", false},
		{"a.*.c", "a/b/c", true},
		{"a.*.c", "a/c", false},
		{"**.a.**.b", "x/a/b", true},
	} {
		p, err := jsontree.ParsePath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Matches(strings.Split(c.at, "/")); got != c.want {
			t.Errorf("%s matches %s: %t", c.path, c.at, got)
		}
	}
}
