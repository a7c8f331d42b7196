package qdranttest_test

import (
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
)

func TestPayloads(t *testing.T) {
	c := start(t)
	whole := map[string]any{"s": "ü\u0000\"", "i": int64(1), "f": 1.0, "b": false, "null": nil,
		"list": []any{int64(1), "a", []any{}}, "o": map[string]any{"a": map[string]any{"b": int64(1), "c": int64(2)}}, "": "no name"}
	reset := func() { c.put(t, whole) }
	reset()
	same(t, c.payload(t, 1), whole)
	one := qdrant.NewPointsSelector(qdrant.NewIDNum(1))
	wait := qdrant.PtrOf(true)

	t.Run("selectors", func(t *testing.T) {
		for _, test := range []struct {
			selector *qdrant.WithPayloadSelector
			want     map[string]any
		}{
			{qdrant.NewWithPayload(false), map[string]any{}},
			{qdrant.NewWithPayloadInclude("i", "o.a.b"), map[string]any{"i": int64(1), "o": map[string]any{"a": map[string]any{"b": int64(1)}}}},
			{qdrant.NewWithPayloadExclude("s", "f", "b", "null", "list", "o.a.c", `""`), map[string]any{"i": int64(1), "o": map[string]any{"a": map[string]any{"b": int64(1)}}}},
		} {
			points := must(c.Get(t.Context(), &qdrant.GetPoints{CollectionName: c.name, Ids: []*qdrant.PointId{qdrant.NewIDNum(1)}, WithPayload: test.selector}))(t)
			same(t, plain(points[0].GetPayload()), test.want)
			page := must(c.Scroll(t.Context(), &qdrant.ScrollPoints{CollectionName: c.name, WithPayload: test.selector}))(t)
			same(t, plain(page[0].GetPayload()), test.want)
		}
	})
	t.Run("set merges", func(t *testing.T) {
		must(c.SetPayload(t.Context(), &qdrant.SetPayloadPoints{CollectionName: c.name, Wait: wait, PointsSelector: one,
			Payload: qdrant.NewValueMap(map[string]any{"i": 2, "new": true})}))(t)
		got := c.payload(t, 1)
		same(t, []any{got["i"], got["new"], got["f"]}, []any{int64(2), true, 1.0})
	})
	t.Run("set below a key", func(t *testing.T) {
		must(c.SetPayload(t.Context(), &qdrant.SetPayloadPoints{CollectionName: c.name, Wait: wait, PointsSelector: one, Key: qdrant.PtrOf("o.a"),
			Payload: qdrant.NewValueMap(map[string]any{"b": 9})}))(t)
		same(t, c.payload(t, 1)["o"], any(map[string]any{"a": map[string]any{"b": int64(9), "c": int64(2)}}))
	})
	t.Run("set by a filter that finds nothing", func(t *testing.T) {
		must(c.SetPayload(t.Context(), &qdrant.SetPayloadPoints{CollectionName: c.name, Wait: wait, PointsSelector: qdrant.NewPointsSelectorFilter(all(keyword("s", "other"))),
			Payload: qdrant.NewValueMap(map[string]any{"i": 7})}))(t)
		same(t, c.payload(t, 1)["i"], any(int64(2)))
	})
	t.Run("set on what is not there", func(t *testing.T) {
		_, err := c.SetPayload(t.Context(), &qdrant.SetPayloadPoints{CollectionName: c.name, Wait: wait, PointsSelector: qdrant.NewPointsSelector(qdrant.NewIDNum(99)),
			Payload: qdrant.NewValueMap(map[string]any{"i": 7})})
		refused(t, err, codes.NotFound)
	})
	t.Run("delete keys", func(t *testing.T) {
		must(c.DeletePayload(t.Context(), &qdrant.DeletePayloadPoints{CollectionName: c.name, Wait: wait, PointsSelector: one, Keys: []string{"new", "o.a.b", "none"}}))(t)
		got := c.payload(t, 1)
		same(t, []any{got["new"], got["o"]}, []any{nil, map[string]any{"a": map[string]any{"c": int64(2)}}})
	})
	t.Run("overwrite", func(t *testing.T) {
		must(c.OverwritePayload(t.Context(), &qdrant.SetPayloadPoints{CollectionName: c.name, Wait: wait, PointsSelector: one,
			Payload: qdrant.NewValueMap(map[string]any{"only": 1})}))(t)
		same(t, c.payload(t, 1), map[string]any{"only": int64(1)})
	})
	t.Run("clear", func(t *testing.T) {
		must(c.ClearPayload(t.Context(), &qdrant.ClearPayloadPoints{CollectionName: c.name, Wait: wait, Points: one}))(t)
		same(t, c.payload(t, 1), map[string]any{})
	})
	t.Run("a batch of updates, in order", func(t *testing.T) {
		reset()
		must(c.UpdateBatch(t.Context(), &qdrant.UpdateBatchPoints{CollectionName: c.name, Wait: wait, Operations: []*qdrant.PointsUpdateOperation{
			qdrant.NewPointsUpdateUpsert(&qdrant.PointsUpdateOperation_PointStructList{
				Points: []*qdrant.PointStruct{point(1, map[string]any{"v": 1}), point(2, map[string]any{"v": 1})}, UpdateMode: qdrant.UpdateMode_InsertOnly.Enum()}),
			qdrant.NewPointsUpdateSetPayload(&qdrant.PointsUpdateOperation_SetPayload{PointsSelector: one, Payload: qdrant.NewValueMap(map[string]any{"v": 2})}),
			qdrant.NewPointsUpdateDeletePayload(&qdrant.PointsUpdateOperation_DeletePayload{PointsSelector: one, Keys: []string{"s"}}),
			qdrant.NewPointsUpdateDeletePoints(&qdrant.PointsUpdateOperation_DeletePoints{Points: qdrant.NewPointsSelector(qdrant.NewIDNum(2))}),
		}}))(t)
		got := c.payload(t, 1)
		same(t, []any{got["v"], got["s"], got["i"]}, []any{int64(2), nil, int64(1)})
		same(t, c.payload(t, 2), map[string]any(nil))
	})
}

func TestRetrieveKeepsTheOrderAndSkipsWhatIsMissing(t *testing.T) {
	c := start(t)
	c.put(t, map[string]any{}, map[string]any{}, map[string]any{})
	u := "550e8400-e29b-41d4-a716-446655440000"
	c.upsert(t, &qdrant.UpsertPoints{Points: []*qdrant.PointStruct{{Id: qdrant.NewIDUUID(u)}}})
	found := must(c.Get(t.Context(), &qdrant.GetPoints{CollectionName: c.name,
		Ids: []*qdrant.PointId{qdrant.NewIDNum(3), qdrant.NewIDNum(99), qdrant.NewIDUUID(u), qdrant.NewIDNum(1)}}))(t)
	var got []string
	for _, p := range found {
		got = append(got, p.GetId().String())
	}
	same(t, got, []string{qdrant.NewIDNum(3).String(), qdrant.NewIDUUID(u).String(), qdrant.NewIDNum(1).String()})
}

func TestDeletes(t *testing.T) {
	c := start(t)
	c.put(t, map[string]any{"k": "a"}, map[string]any{"k": "b"}, map[string]any{"k": "b"})
	del := func(selector *qdrant.PointsSelector) {
		t.Helper()
		must(c.Delete(t.Context(), &qdrant.DeletePoints{CollectionName: c.name, Wait: qdrant.PtrOf(true), Points: selector}))(t)
	}
	del(qdrant.NewPointsSelector(qdrant.NewIDNum(1), qdrant.NewIDNum(99)))
	same(t, c.matching(t, nil), []uint64{2, 3})
	del(qdrant.NewPointsSelectorFilter(all(keyword("k", "b"), qdrant.NewHasID(qdrant.NewIDNum(2)))))
	same(t, c.matching(t, nil), []uint64{3})
}
