package qdranttest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
)

// ordered is a page without payloads in an order.
func (c collection) ordered(t *testing.T, order *qdrant.OrderBy) []*qdrant.RetrievedPoint {
	t.Helper()
	page, next := must2(c.ScrollAndOffset(t.Context(), &qdrant.ScrollPoints{
		CollectionName: c.name, OrderBy: order, Limit: qdrant.PtrOf(uint32(100)), WithPayload: qdrant.NewWithPayload(false),
	}))(t)
	if next != nil {
		t.Errorf("an ordered page has the next offset %v", next)
	}
	return page
}

func TestOrderBy(t *testing.T) {
	c := start(t)
	c.put(t,
		map[string]any{"n": 3, "k": "a"},
		map[string]any{"n": []any{1, 4, 4}, "k": "a"},
		map[string]any{"k": "a"},
		map[string]any{"n": 2, "k": "b"},
		map[string]any{"n": nil},
	)
	_, err := c.Scroll(t.Context(), &qdrant.ScrollPoints{CollectionName: c.name, OrderBy: &qdrant.OrderBy{Key: "n"}})
	refused(t, err, codes.InvalidArgument) // no index
	c.index(t, "n", qdrant.FieldType_FieldTypeInteger)
	c.index(t, "k", qdrant.FieldType_FieldTypeKeyword)
	_, err = c.Scroll(t.Context(), &qdrant.ScrollPoints{CollectionName: c.name, OrderBy: &qdrant.OrderBy{Key: "k"}})
	refused(t, err, codes.InvalidArgument) // an index without an order

	t.Run("an array once per distinct value, points without one not at all", func(t *testing.T) {
		found := c.ordered(t, &qdrant.OrderBy{Key: "n"})
		same(t, ids(found), []uint64{2, 4, 1, 2})
		var values []int64
		for _, p := range found {
			values = append(values, p.GetOrderValue().GetInt())
		}
		same(t, values, []int64{1, 2, 3, 4})
	})
	t.Run("start_from is inclusive", func(t *testing.T) {
		same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "n", StartFrom: qdrant.NewStartFromInt(2)})), []uint64{4, 1, 2})
		same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "n", StartFrom: qdrant.NewStartFromFloat(2.5)})), []uint64{1, 2})
		same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "n", StartFrom: qdrant.NewStartFromInt(2), Direction: qdrant.Direction_Desc.Enum()})), []uint64{4, 2})
	})
	t.Run("with a filter and a limit", func(t *testing.T) {
		page := must(c.Scroll(t.Context(), &qdrant.ScrollPoints{
			CollectionName: c.name, Filter: all(keyword("k", "a")), OrderBy: &qdrant.OrderBy{Key: "n"}, Limit: qdrant.PtrOf(uint32(2)),
		}))(t)
		same(t, ids(page), []uint64{2, 1})
	})
	t.Run("offset is refused", func(t *testing.T) {
		_, err := c.Scroll(t.Context(), &qdrant.ScrollPoints{CollectionName: c.name, OrderBy: &qdrant.OrderBy{Key: "n"}, Offset: qdrant.NewIDNum(2)})
		refused(t, err, codes.InvalidArgument)
	})
}

func TestOrderByDates(t *testing.T) {
	c := start(t)
	c.index(t, "at", qdrant.FieldType_FieldTypeDatetime)
	c.put(t,
		map[string]any{"at": "2024-05-01T00:00:00Z"},
		map[string]any{"at": "2024-05-01T00:00:00.000001Z"},
		map[string]any{"at": "1969-12-31"},
		map[string]any{"at": "2024-05-01T01:00:00+02:00"},
		map[string]any{"at": "no date"},
	)
	same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "at"})), []uint64{3, 4, 1, 2})
	may := time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "at", StartFrom: qdrant.NewStartFromTimestamp(may.Unix(), 0)})), []uint64{1, 2})
	same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "at", StartFrom: qdrant.NewStartFromDatetime("2024-05-01T00:00:00.000001Z")})), []uint64{2})
}

// Without an order pages go by id, and name the next one.
func TestScrollByID(t *testing.T) {
	c := start(t)
	c.put(t, slices.Repeat([]map[string]any{{"a": 1}}, 7)...)
	var found []uint64
	var offset *qdrant.PointId
	for pages := 0; ; pages++ {
		page, next := must2(c.ScrollAndOffset(t.Context(), &qdrant.ScrollPoints{CollectionName: c.name, Offset: offset, Limit: qdrant.PtrOf(uint32(3))}))(t)
		found = append(found, ids(page)...)
		if next == nil {
			if pages != 2 {
				t.Errorf("%d pages before the last", pages)
			}
			break
		}
		offset = next
	}
	same(t, found, []uint64{1, 2, 3, 4, 5, 6, 7})
	_, err := c.Scroll(t.Context(), &qdrant.ScrollPoints{CollectionName: c.name, Limit: qdrant.PtrOf(uint32(0))})
	refused(t, err, codes.InvalidArgument)
}
