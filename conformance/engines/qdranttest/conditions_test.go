package qdranttest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/qdrant/go-client/qdrant"
)

func keyword(field, value string) *qdrant.Condition { return qdrant.NewMatch(field, value) }

func TestConditionsOfUpserts(t *testing.T) {
	c := start(t)
	write := func(t *testing.T, mode qdrant.UpdateMode, filter *qdrant.Filter, points ...*qdrant.PointStruct) {
		t.Helper()
		c.upsert(t, &qdrant.UpsertPoints{UpdateMode: &mode, UpdateFilter: filter, Points: points})
	}
	w := func(id string) map[string]any { return map[string]any{"w": id} }
	for _, test := range []struct {
		name   string
		mode   qdrant.UpdateMode
		filter *qdrant.Filter
		points []*qdrant.PointStruct
		want   map[uint64]map[string]any // by id; point 1 is there before with w: old
	}{
		{"a condition that holds", qdrant.UpdateMode_Upsert, all(keyword("w", "old")), []*qdrant.PointStruct{point(1, w("new"))},
			map[uint64]map[string]any{1: w("new")}},
		{"a condition that fails changes nothing", qdrant.UpdateMode_Upsert, all(keyword("w", "other")), []*qdrant.PointStruct{point(1, w("new"))},
			map[uint64]map[string]any{1: w("old")}},
		{"a conditional upsert inserts what is absent", qdrant.UpdateMode_Upsert, all(keyword("w", "other")), []*qdrant.PointStruct{point(1, w("new")), point(2, w("new"))},
			map[uint64]map[string]any{1: w("old"), 2: w("new")}},
		{"update only updates", qdrant.UpdateMode_UpdateOnly, nil, []*qdrant.PointStruct{point(1, w("new")), point(2, w("new"))},
			map[uint64]map[string]any{1: w("new"), 2: nil}},
		{"update only with a condition does not insert", qdrant.UpdateMode_UpdateOnly, all(keyword("w", "old")), []*qdrant.PointStruct{point(1, w("new")), point(2, w("new"))},
			map[uint64]map[string]any{1: w("new"), 2: nil}},
		{"update only with a condition that fails", qdrant.UpdateMode_UpdateOnly, all(keyword("w", "other")), []*qdrant.PointStruct{point(1, w("new")), point(2, w("new"))},
			map[uint64]map[string]any{1: w("old"), 2: nil}},
		{"insert only leaves what is there", qdrant.UpdateMode_InsertOnly, nil, []*qdrant.PointStruct{point(1, w("new")), point(2, w("new"))},
			map[uint64]map[string]any{1: w("old"), 2: w("new")}},
		{"of two points of one id the last wins", qdrant.UpdateMode_Upsert, nil, []*qdrant.PointStruct{point(1, w("a")), point(1, w("b"))},
			map[uint64]map[string]any{1: w("b")}},
		{"the condition sees only the state before", qdrant.UpdateMode_UpdateOnly, all(keyword("w", "old")), []*qdrant.PointStruct{point(1, w("a")), point(1, w("b"))},
			map[uint64]map[string]any{1: w("b")}},
		{"and not what the same call wrote", qdrant.UpdateMode_UpdateOnly, all(keyword("w", "a")), []*qdrant.PointStruct{point(1, w("a")), point(1, w("b"))},
			map[uint64]map[string]any{1: w("old")}},
		{"one of many expected", qdrant.UpdateMode_UpdateOnly, all(qdrant.NewMatchKeywords("w", append(numbered(1000), "old")...)), []*qdrant.PointStruct{point(1, w("new"))},
			map[uint64]map[string]any{1: w("new")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			must(c.Delete(t.Context(), &qdrant.DeletePoints{CollectionName: c.name, Wait: qdrant.PtrOf(true), Points: qdrant.NewPointsSelectorFilter(&qdrant.Filter{})}))(t)
			c.put(t, w("old"))
			write(t, test.mode, test.filter, test.points...)
			for id, want := range test.want {
				same(t, c.payload(t, id), want)
			}
		})
	}
}

func numbered(n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint("write-", i))
	}
	return list
}

// Writers that compare and set the newest write id, and keep the chain of those they
// replaced: whoever finds its id in the chain has won, and the wins are a history.
func TestWritersOfOnePointMakeOneChain(t *testing.T) {
	c := start(t)
	c.index(t, "newest", qdrant.FieldType_FieldTypeKeyword)
	c.put(t, map[string]any{"newest": "start", "chain": []any{"start"}})
	const writers, wins = 6, 20
	var group sync.WaitGroup
	for writer := range writers {
		group.Go(func() {
			for won := 0; won < wins; {
				before := c.payload(t, 1)
				id := fmt.Sprintf("%d-%d", writer, won)
				chain := append([]any{id}, before["chain"].([]any)...)
				c.upsert(t, &qdrant.UpsertPoints{
					UpdateMode:   qdrant.PtrOf(qdrant.UpdateMode_UpdateOnly),
					UpdateFilter: all(keyword("newest", before["newest"].(string))),
					Points:       []*qdrant.PointStruct{point(1, map[string]any{"newest": id, "chain": chain})},
				})
				if slices.Contains(c.payload(t, 1)["chain"].([]any), any(id)) {
					won++
				}
			}
		})
	}
	group.Wait()
	chain := c.payload(t, 1)["chain"].([]any)
	if len(chain) != writers*wins+1 {
		t.Errorf("%d writes are in the chain, %d were won", len(chain)-1, writers*wins)
	}
	slices.SortFunc(chain, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	if len(slices.Compact(chain)) != writers*wins+1 {
		t.Error("a write is in the chain twice")
	}
}
