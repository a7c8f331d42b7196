package aggs_test

import (
	"testing"

	"postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// FuzzAggregations decodes any JSON as named aggregations: no panic, and every
// refusal is an Elasticsearch error.
func FuzzAggregations(f *testing.F) {
	for _, s := range []string{
		`{"a":{"terms":{"field":"k","size":"3","order":[{"_key":"ASC"}],"include":{"partition":0,"num_partitions":2}},"meta":{},"aggs":{"b":{"avg":{"field":"n"}}}}}`,
		`{"a":{"date_histogram":{"field":"d","calendar_interval":"1M","offset":-3600000,"extended_bounds":{"min":"now","max":5}}}}`,
		`{"a":{"filters":{"filters":[{"match_all":{}}],"other_bucket":true}}}`,
		`{"a":{"range":{"field":"n","ranges":{"from":1}}}}`, `{"a":{"global":{}}}`, `{"a":{}}`, `{"a":1}`, `{"":{"x":{}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := jsonx.Parse(body)
		if err != nil || v.Kind() != jsonx.Object {
			return
		}
		var list []jsonx.Pair[aggs.AggregationContainer]
		if err := aggs.DecodeAggregations(&list, v); err != nil {
			if e, ok := eserr.As(err); !ok || e.Status < 400 || e.Type == "" {
				t.Fatalf("%s: %v", body, err)
			}
			return
		}
		if len(list) != v.Len() {
			t.Fatalf("%s: %d aggregations of %d", body, len(list), v.Len())
		}
		for _, a := range list {
			if a.Value.Kind.String() == "" {
				t.Fatalf("%s: %s has no kind", body, a.Key)
			}
		}
	})
}
