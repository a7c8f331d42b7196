package spec_test

import (
	"strings"
	"testing"

	"postern/spec"
)

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`:  "facts, line 1",
		`{}`: "neither an endpoint nor a type",
		`{"endpoint":{"name":"x","request":{"name":"R","namespace":"x"}}}`:                                                                                           "endpoint x: unknown type x:R",
		`{"type":{"kind":"type_alias","name":{"name":"A","namespace":"n"},"type":{"kind":"instance_of","type":{"name":"B","namespace":"n"}}}}`:                       "type n:A: unknown type n:B",
		`{"type":{"kind":"type_alias","name":{"name":"A","namespace":"n"},"type":{"kind":"tuple_of"}}}`:                                                              `unknown kind "tuple_of"`,
		"{\"type\":{\"kind\":\"enum\",\"name\":{\"name\":\"A\",\"namespace\":\"n\"}}}\n{\"type\":{\"kind\":\"enum\",\"name\":{\"name\":\"A\",\"namespace\":\"n\"}}}": "the type n:A is there twice",
	} {
		if _, err := spec.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestEntryOf(t *testing.T) {
	s, err := spec.ParseSupport([]byte(`
queries:
  a: full
  b: {state: "partial: not z", members: {x: full, y: "ignored: because"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		query, member string
		want          spec.State
	}{{"a", "x", spec.Full}, {"b", "x", spec.Full}, {"b", "y", spec.Ignored}, {"b", "z", spec.Refused}, {"c", "x", spec.Refused}} {
		if got := s.Queries[c.query].Of(c.member).State; got != c.want {
			t.Errorf("%s.%s is %s, want %s", c.query, c.member, got, c.want)
		}
	}
}
