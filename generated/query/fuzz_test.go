package query_test

import (
	"testing"

	"postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// FuzzQuery decodes any JSON as a query: no panic, and every refusal is an
// Elasticsearch error with a status of its own.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{
		`{"term":{"k":{"value":9007199254740993,"boost":"2"}}}`,
		`{"bool":{"must":[{"match_all":{}},{"terms":{"k":["a",null,{}]}}],"filter":null,"minimum_should_match":"75%"}}`,
		`{"range":{"n":{"gte":1,"lt":"now/d","include_lower":"x"}}}`,
		`{"nested":{"path":"a","query":{"match":{"a.t":{"query":true,"operator":"AND"}}}}}`,
		`{"multi_match":{"query":1,"fields":"t^2"}}`, `{"ids":{"values":[1,null]}}`, `{"foo":{}}`, `[]`, `{}`, `null`, `{"term":{}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := jsonx.Parse(body)
		if err != nil || !v.Exists() {
			return
		}
		q, err := query.DecodeQueryContainer(v)
		if err != nil {
			e, ok := eserr.As(err)
			if !ok || e.Status < 400 || e.Type == "" {
				t.Fatalf("%s: %v", body, err)
			}
			return
		}
		if q.Kind == 0 || q.Kind.String() == "" {
			t.Fatalf("%s: decoded without a kind", body)
		}
	})
}

// TestNumbersStayExact decodes numbers that no double holds.
func TestNumbersStayExact(t *testing.T) {
	for _, n := range []string{"9007199254740993", "-9223372036854775808", "0.1", "1e400", "-0.0", "12345678901234567890"} {
		q, err := query.DecodeQueryContainer(jsonx.MustParse(`{"term":{"k":` + n + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(q.Term.Value.Value.Raw()); got != n {
			t.Errorf("%s became %s", n, got)
		}
	}
}
