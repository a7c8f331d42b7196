package qdranttest_test

import (
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"
)

func TestFilters(t *testing.T) {
	c := start(t)
	place := func(lat, lon float64) map[string]any { return map[string]any{"lat": lat, "lon": lon} }
	c.put(t,
		map[string]any{"k": "a", "n": 1, "b": true, "at": "2024-05-01T00:00:00Z", "text": "a quick brown fox", "place": place(52.5, 13.4),
			"u": "550e8400-e29b-41d4-a716-446655440000", "parts": []any{map[string]any{"x": 1, "y": "r"}, map[string]any{"x": 2, "y": "s"}}},
		map[string]any{"k": []any{"a", "b"}, "n": 2, "b": false, "at": "2024-05-02T00:00:00Z", "text": "quick and quicker", "place": place(48.1, 11.6),
			"parts": []any{map[string]any{"x": 1, "y": "s"}}},
		map[string]any{"k": "c", "n": []any{1, 5, 9}, "null": nil, "empty": []any{}, "place": []any{place(40.7, -74), place(52.5, 13.5)}},
		map[string]any{"deep": map[string]any{"k": "a"}},
	)
	day := func(d int) *timestamppb.Timestamp {
		return timestamppb.New(time.Date(2024, 5, d, 0, 0, 0, 0, time.UTC))
	}
	ring := func(points ...float64) *qdrant.GeoLineString {
		line := &qdrant.GeoLineString{}
		for i := 0; i < len(points); i += 2 {
			line.Points = append(line.Points, &qdrant.GeoPoint{Lat: points[i], Lon: points[i+1]})
		}
		return line
	}
	cases := []struct {
		name   string
		filter *qdrant.Filter
		want   []uint64
	}{
		{"everything", &qdrant.Filter{}, []uint64{1, 2, 3, 4}},
		{"keyword", all(keyword("k", "a")), []uint64{1, 2}},
		{"path", all(keyword("deep.k", "a")), []uint64{4}},
		{"keywords", all(qdrant.NewMatchKeywords("k", "b", "c")), []uint64{2, 3}},
		{"except keywords", all(qdrant.NewMatchExceptKeywords("k", "a")), []uint64{2, 3}}, // some value is another; no value is none
		{"integer in an array", all(qdrant.NewMatchInt("n", 5)), []uint64{3}},
		{"except integers", all(qdrant.NewMatchExceptInts("n", 1)), []uint64{2, 3}},
		{"true", all(qdrant.NewMatchBool("b", true)), []uint64{1}},
		{"false", all(qdrant.NewMatchBool("b", false)), []uint64{2}},
		{"range", between("n", &qdrant.Range{Gt: qdrant.PtrOf(1.0), Lte: qdrant.PtrOf(5.0)}), []uint64{2, 3}},
		{"range of one value each", between("n", &qdrant.Range{Gt: qdrant.PtrOf(5.0), Lt: qdrant.PtrOf(9.0)}), nil},
		{"dates", all(qdrant.NewDatetimeRange("at", &qdrant.DatetimeRange{Gt: day(1)})), []uint64{2}},
		{"dates with both ends", all(qdrant.NewDatetimeRange("at", &qdrant.DatetimeRange{Gte: day(1), Lt: day(2)})), []uint64{1}},
		{"must", all(keyword("k", "a"), qdrant.NewMatchInt("n", 1)), []uint64{1}},
		{"should", &qdrant.Filter{Should: []*qdrant.Condition{keyword("k", "b"), qdrant.NewMatchInt("n", 9)}}, []uint64{2, 3}},
		{"must and should", &qdrant.Filter{Must: []*qdrant.Condition{keyword("k", "a")}, Should: []*qdrant.Condition{keyword("k", "b")}}, []uint64{2}},
		{"must not", &qdrant.Filter{MustNot: []*qdrant.Condition{keyword("k", "a")}}, []uint64{3, 4}},
		{"min should", &qdrant.Filter{MinShould: &qdrant.MinShould{MinCount: 2, Conditions: []*qdrant.Condition{
			keyword("k", "a"), qdrant.NewMatchInt("n", 1), qdrant.NewMatchBool("b", false)}}}, []uint64{1, 2}},
		{"filter in a filter", all(qdrant.NewFilterAsCondition(&qdrant.Filter{MustNot: []*qdrant.Condition{keyword("k", "c")}})), []uint64{1, 2, 4}},
		{"ids", all(qdrant.NewHasID(qdrant.NewIDNum(4), qdrant.NewIDNum(2), qdrant.NewIDNum(77))), []uint64{2, 4}},
		{"null", all(qdrant.NewIsNull("null")), []uint64{3}},
		{"empty", all(qdrant.NewIsEmpty("n")), []uint64{4}},
		{"null and [] are empty", &qdrant.Filter{MustNot: []*qdrant.Condition{qdrant.NewIsEmpty("null"), qdrant.NewIsEmpty("empty")}}, nil},
		{"values count", all(qdrant.NewValuesCount("n", &qdrant.ValuesCount{Gte: qdrant.PtrOf(uint64(2))})), []uint64{3}},
		{"nested", all(qdrant.NewNestedFilter("parts", all(qdrant.NewMatchInt("x", 1), keyword("y", "s")))), []uint64{2}},
		{"not nested", all(qdrant.NewMatchInt("parts[].x", 1), keyword("parts[].y", "s")), []uint64{1, 2}},
		{"radius", all(qdrant.NewGeoRadius("place", 52.5, 13.4, 10_000)), []uint64{1, 3}},
		{"box", all(qdrant.NewGeoBoundingBox("place", 53, 13, 48, 14)), []uint64{1, 3}},
		{"box over the date line", all(qdrant.NewGeoBoundingBox("place", 60, 170, 30, -60)), []uint64{3}},
		{"polygon", all(qdrant.NewGeoPolygon("place", ring(47, 11, 47, 12, 49, 12, 49, 11, 47, 11))), []uint64{2}},
		{"polygon with a hole", all(qdrant.NewGeoPolygon("place", ring(40, 0, 40, 20, 60, 20, 60, 0, 40, 0), ring(48, 11, 48, 12, 49, 12, 49, 11, 48, 11))), []uint64{1, 3}},
		{"uuid", all(keyword("u", "550e8400-e29b-41d4-a716-446655440000")), []uint64{1}},
	}
	check := func(t *testing.T) {
		for _, test := range cases {
			t.Run(test.name, func(t *testing.T) { same(t, c.matching(t, test.filter), test.want) })
		}
	}
	t.Run("scan", check)
	for field, kind := range map[string]qdrant.FieldType{
		"k": qdrant.FieldType_FieldTypeKeyword, "n": qdrant.FieldType_FieldTypeInteger, "b": qdrant.FieldType_FieldTypeBool,
		"at": qdrant.FieldType_FieldTypeDatetime, "place": qdrant.FieldType_FieldTypeGeo, "u": qdrant.FieldType_FieldTypeUuid,
		"parts[].x": qdrant.FieldType_FieldTypeInteger, "parts[].y": qdrant.FieldType_FieldTypeKeyword,
	} {
		c.index(t, field, kind)
	}
	t.Run("index", check)

	t.Run("text", func(t *testing.T) {
		c.index(t, "text", qdrant.FieldType_FieldTypeText)
		same(t, c.matching(t, all(qdrant.NewMatchText("text", "quick fox"))), []uint64{1})
		same(t, c.matching(t, all(qdrant.NewMatchTextAny("text", "quicker fox"))), []uint64{1, 2})
	})
}
