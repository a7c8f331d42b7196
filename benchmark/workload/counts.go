package workload

import (
	"fmt"

	"postern/benchmark/corpus"
)

// FilterCounts counts a category, the products above a price, and all of them.
func FilterCounts(index string, c *corpus.Catalogue) Workload {
	return Workload{Name: "two filter counts", Make: func(s Step) Op {
		n := spread(s.Unique, corpus.Categories*corpus.MaxPrice)
		category, low := n%corpus.Categories, int32(n/corpus.Categories)
		a, b := 0, 0
		for i := range c.Category {
			if int(c.Category[i]) == category {
				a++
			}
			if c.Price[i] >= low {
				b++
			}
		}
		body := fmt.Sprintf(`{"size":0,"track_total_hits":true,"aggs":{"a":{"filter":{"term":{"category":%q}}},"b":{"filter":{"range":{"price":{"gte":%d}}}}}}`,
			corpus.CategoryName(category), low)
		return Op{search(index, body, func(got searchAnswer) error {
			if got.Aggregations["a"].DocCount != a || got.Aggregations["b"].DocCount != b {
				return fmt.Errorf("counts are %d and %d, due were %d and %d", got.Aggregations["a"].DocCount, got.Aggregations["b"].DocCount, a, b)
			}
			return got.total(c.Len())
		})}
	}}
}
