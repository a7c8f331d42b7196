package planner

import (
	"reflect"
	"slices"
	"testing"
)

// TestEachPartOfAPlanIsThoughtOf fails for a new part of a plan, until somebody has found
// out whether operators and scans of candidates keep its meaning (refuse, columns) and
// has added it here.
func TestEachPartOfAPlanIsThoughtOf(t *testing.T) {
	known := map[reflect.Type][]string{
		reflect.TypeFor[Plan](): {"shards", "reading", "from", "size", "trackUpTo", "terminateAfter", "timeout", "scored", "trackScores", "minScore",
			"namedScores", "typedKeys", "totalAsInt", "hasAggs", "noPartial", "profile", "parsed", "wide", "preFilter", "fetch", "shownSorts", "laterPage", "key"},
		reflect.TypeFor[shardPlan](): {"index", "at", "query", "post", "base", "sort", "after", "named", "aggs", "hits", "fetch", "mayMatch", "others", "err", "usedNow"},
		reflect.TypeFor[fetchPlan](): {"source", "filter", "version", "seqNo", "noID", "fields", "values", "includes", "excludes"},
	}
	for typ, names := range known {
		for i := range typ.NumField() {
			if name := typ.Field(i).Name; !slices.Contains(names, name) {
				t.Errorf("%s.%s: is an answer the same when a store's engine gives it?", typ.Name(), name)
			}
		}
	}
}
