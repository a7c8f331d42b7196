package qdranttest_test

import (
	"math"
	"testing"

	"github.com/qdrant/go-client/qdrant"
)

const exact = 1 << 53 // from here on float64 skips integers

func between(field string, r *qdrant.Range) *qdrant.Filter { return all(qdrant.NewRange(field, r)) }

func TestBoundsAreDoubles(t *testing.T) {
	c := start(t)
	c.put(t,
		map[string]any{"n": int64(exact - 1)},
		map[string]any{"n": int64(exact)},
		map[string]any{"n": int64(exact + 1)},
		map[string]any{"n": int64(exact + 2)},
		map[string]any{"n": int64(math.MaxInt64)},
		map[string]any{"n": int64(math.MinInt64)},
	)
	below := func(bound float64) *qdrant.Filter { return between("n", &qdrant.Range{Lt: &bound}) }
	upTo := func(bound float64) *qdrant.Filter { return between("n", &qdrant.Range{Lte: &bound}) }
	above := func(bound float64) *qdrant.Filter { return between("n", &qdrant.Range{Gt: &bound}) }
	from := func(bound float64) *qdrant.Filter { return between("n", &qdrant.Range{Gte: &bound}) }
	either := func(t *testing.T) {
		t.Helper()
		same(t, c.matching(t, from(exact+1)), []uint64{2, 3, 4, 5}) // 2^53+1 is no double: it is 2^53
		same(t, c.matching(t, below(exact)), []uint64{1, 6})
		same(t, c.matching(t, from(1<<63)), []uint64{5})
	}
	t.Run("without an index values are doubles too", func(t *testing.T) {
		either(t)
		same(t, c.matching(t, above(exact)), []uint64{4, 5})
		same(t, c.matching(t, upTo(exact)), []uint64{1, 2, 3, 6})
	})
	c.index(t, "n", qdrant.FieldType_FieldTypeInteger)
	t.Run("with an index only bounds are", func(t *testing.T) {
		either(t)
		same(t, c.matching(t, above(exact)), []uint64{3, 4, 5})
		same(t, c.matching(t, upTo(exact)), []uint64{1, 2, 6})
	})

	t.Run("stored and matched exactly", func(t *testing.T) {
		same(t, c.payload(t, 3)["n"], any(int64(exact+1)))
		same(t, c.matching(t, all(qdrant.NewMatchInt("n", exact+1))), []uint64{3})
		same(t, c.matching(t, all(qdrant.NewMatchInts("n", exact, math.MaxInt64))), []uint64{2, 5})
		same(t, c.matching(t, all(qdrant.NewMatchExceptInts("n", exact, math.MaxInt64))), []uint64{1, 3, 4, 6})
	})
	t.Run("ordered exactly", func(t *testing.T) {
		same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "n"})), []uint64{6, 1, 2, 3, 4, 5})
		same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "n", Direction: qdrant.Direction_Desc.Enum()})), []uint64{5, 4, 3, 2, 1, 6})
	})
	t.Run("start_from is a double too", func(t *testing.T) {
		from := qdrant.NewStartFromInt(exact + 1)
		same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "n", StartFrom: from})), []uint64{2, 3, 4, 5})
		same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "n", StartFrom: from, Direction: qdrant.Direction_Desc.Enum()})), []uint64{2, 1, 6})
	})
}

func TestNumbersOfOtherTypes(t *testing.T) {
	c := start(t)
	c.put(t,
		map[string]any{"n": int64(5), "f": 0.0},
		map[string]any{"n": 5.0, "f": math.Copysign(0, -1)},
		map[string]any{"n": 5.5, "f": int64(1)},
		map[string]any{"n": "5", "f": "0"},
		map[string]any{"n": true},
	)
	check := func(t *testing.T) {
		t.Helper()
		same(t, c.matching(t, between("f", &qdrant.Range{Gte: qdrant.PtrOf(0.0), Lte: qdrant.PtrOf(0.0)})), []uint64{1, 2})
		same(t, c.matching(t, between("f", &qdrant.Range{Gt: qdrant.PtrOf(0.0)})), []uint64{3})
	}
	t.Run("without an index 5 is not 5.0", func(t *testing.T) {
		check(t)
		same(t, c.matching(t, all(qdrant.NewMatchInt("n", 5))), []uint64{1})
	})
	c.index(t, "n", qdrant.FieldType_FieldTypeInteger)
	c.index(t, "f", qdrant.FieldType_FieldTypeFloat)
	t.Run("with an index it is", func(t *testing.T) {
		check(t)
		same(t, c.matching(t, all(qdrant.NewMatchInt("n", 5))), []uint64{1, 2})
	})
	t.Run("minus zero is kept", func(t *testing.T) {
		if f := c.payload(t, 2)["f"].(float64); !math.Signbit(f) {
			t.Error("-0.0 came back as 0.0")
		}
		found := c.ordered(t, &qdrant.OrderBy{Key: "f"})
		if len(found) != 3 || found[2].GetId().GetNum() != 3 {
			t.Errorf("order %v", ids(found))
		}
	})
	t.Run("a wrong type is stored and not indexed", func(t *testing.T) {
		same(t, c.payload(t, 4)["n"], any("5"))
		same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "n", StartFrom: qdrant.NewStartFromInt(6)})), []uint64(nil))
		same(t, c.matching(t, all(keyword("n", "5"))), []uint64{4})
	})
}
