package qdranttest_test

import (
	"fmt"
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
)

func TestFacets(t *testing.T) {
	c := start(t)
	c.put(t,
		map[string]any{"k": "a", "n": 1, "b": true, "f": 1.5},
		map[string]any{"k": []any{"a", "b", "b"}, "n": []any{1, 2}, "b": false},
		map[string]any{"k": "b", "n": "two"},
		map[string]any{"k": "b", "n": 2},
		map[string]any{"k": []any{}, "n": nil},
		map[string]any{"k": "c"},
	)
	_, err := c.Facet(t.Context(), &qdrant.FacetCounts{CollectionName: c.name, Key: "k", Exact: qdrant.PtrOf(true)})
	refused(t, err, codes.InvalidArgument) // no index
	c.index(t, "k", qdrant.FieldType_FieldTypeKeyword)
	c.index(t, "n", qdrant.FieldType_FieldTypeInteger)
	c.index(t, "b", qdrant.FieldType_FieldTypeBool)
	c.index(t, "f", qdrant.FieldType_FieldTypeFloat)
	_, err = c.Facet(t.Context(), &qdrant.FacetCounts{CollectionName: c.name, Key: "f", Exact: qdrant.PtrOf(true)})
	refused(t, err, codes.InvalidArgument) // an index without equality

	for _, test := range []struct {
		key    string
		filter *qdrant.Filter
		limit  *uint64
		want   string
	}{
		{key: "k", want: "b:3 a:2 c:1"}, // most points first, then by value; each value once a point
		{key: "k", limit: qdrant.PtrOf(uint64(2)), want: "b:3 a:2"},
		{key: "k", filter: all(qdrant.NewMatchInt("n", 2)), want: "b:2 a:1"},
		{key: "k", filter: all(keyword("k", "none")), want: ""},
		{key: "n", want: "1:2 2:2"},
		{key: "b", want: "false:1 true:1"},
	} {
		t.Run(fmt.Sprint(test.key, test.filter, test.limit != nil), func(t *testing.T) {
			hits := must(c.Facet(t.Context(), &qdrant.FacetCounts{
				CollectionName: c.name, Key: test.key, Filter: test.filter, Limit: test.limit, Exact: qdrant.PtrOf(true),
			}))(t)
			got := ""
			for _, hit := range hits {
				if got != "" {
					got += " "
				}
				got += fmt.Sprint(facetValue(hit.GetValue()), ":", hit.GetCount())
			}
			same(t, got, test.want)
		})
	}
	_, err = c.Facet(t.Context(), &qdrant.FacetCounts{CollectionName: c.name, Key: "k", Limit: qdrant.PtrOf(uint64(0))})
	refused(t, err, codes.InvalidArgument)
}

func facetValue(value *qdrant.FacetValue) any {
	switch v := value.GetVariant().(type) {
	case *qdrant.FacetValue_IntegerValue:
		return v.IntegerValue
	case *qdrant.FacetValue_BoolValue:
		return v.BoolValue
	}
	return value.GetStringValue()
}
