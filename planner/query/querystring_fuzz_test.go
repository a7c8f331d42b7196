package query

import (
	"testing"

	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// Whatever is asked, the parsers of query strings answer with a query or with one of
// Elasticsearch's errors.
func FuzzQueryString(f *testing.F) {
	for _, seed := range []string{
		`a AND (b OR "c d"~2)^3 -t:e~1`, `n:[1 TO 2} k:>=3 /a.*/ *:* _exists_:t`, `\u00e9 a\`, `t:(+a !b || c && d)`, `"`, `a~`, `[`, `((((`, `~`, `^`, `a^`, `k:*`,
	} {
		f.Add(seed)
	}
	c := contextFor(f)
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseQueryString(c, NewQueryString(text))
		if err == nil {
			n.AppendKey(nil)
		} else if _, ok := eserr.As(err); !ok {
			t.Errorf("%q: %v", text, err)
		}
		v, err := jsonx.Parse(append(append([]byte(`{"simple_query_string":{"query":`), jsonx.AppendString(nil, text)...), "}}"...))
		if err != nil {
			t.Skip()
		}
		q, err := gen.DecodeQueryContainer(v)
		if err != nil {
			t.Fatal(err)
		}
		if n, err = Parse(c, q); err == nil {
			n.AppendKey(nil)
		} else if _, ok := eserr.As(err); !ok {
			t.Errorf("simple %q: %v", text, err)
		}
	})
}

func contextFor(t testing.TB) *Context {
	m, err := mapping.Parse(jsonx.MustParse(`{"properties":{"t":{"type":"text"},"k":{"type":"keyword"},"n":{"type":"long"},"d":{"type":"date"}}}`), mapping.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &Context{Index: "i", UUID: "u", Mapping: m}
}
