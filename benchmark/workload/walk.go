package workload

import (
	"fmt"

	"postern/benchmark/corpus"
)

// Walk goes through all products above a price in pages of 500, each after the last one's
// end, without totals: an export. Every walk has another price.
func Walk(index string, c *corpus.Catalogue) Workload {
	const size = 500
	pages := max(1, c.Len()/2/size) // the prices below leave at least half of the products
	return Workload{Name: "deep cursor walk", Make: func(s Step) Op {
		low := int32(spread(s.Unique/pages, corpus.MaxPrice/2-100))
		skip := s.Unique % pages * size
		cursor, matching := -1, 0
		var want []int32
		for _, d := range c.ByRank {
			if c.Price[d] < low {
				continue
			}
			if matching++; matching == skip {
				cursor = int(c.Rank[d])
			}
			if matching > skip {
				if want = append(want, d); len(want) == size {
					break
				}
			}
		}
		body := fmt.Sprintf(`{"size":%d,"track_total_hits":false,"query":{"range":{"price":{"gte":%d}}},"sort":[{"rank":"asc"}],"search_after":[%d]}`, size, low, cursor)
		return Op{search(index, body, func(got searchAnswer) error { return sorted(got, c, want) })}
	}}
}
