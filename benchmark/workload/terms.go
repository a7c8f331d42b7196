package workload

import (
	"cmp"
	"fmt"
	"slices"

	"postern/benchmark/corpus"
)

// Terms counts the 20 categories of the products above a price; of all products in the first
// operation.
func Terms(index string, c *corpus.Catalogue) Workload {
	return Workload{Name: "terms over 20 keywords", Make: func(s Step) Op {
		low := low(s)
		counts := make([]int, corpus.Categories)
		for i, k := range c.Category {
			if c.Price[i] >= low {
				counts[k]++
			}
		}
		keys := make([]int, 0, len(counts))
		for k, n := range counts {
			if n > 0 {
				keys = append(keys, k)
			}
		}
		slices.SortFunc(keys, func(a, b int) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
		return Op{terms(index, "category", corpus.Categories, low, keys, counts, corpus.CategoryName)}
	}}
}

// HighCardinality finds the ten vendors with most products above a price.
func HighCardinality(index string, c *corpus.Catalogue) Workload {
	return Workload{Name: "high-cardinality terms", Make: func(s Step) Op {
		keys, counts := c.Vendors(low(s))
		return Op{terms(index, "vendor", 10, low(s), keys, counts, corpus.VendorName)}
	}}
}

// low is the price of a step's filter: 0, which every product passes, in the first one.
func low(s Step) int32 {
	if s.Unique == 0 {
		return 0
	}
	return 1 + int32(spread(s.Unique, corpus.MaxPrice/2))
}

// above is a query for products above a price.
func above(low int32) string {
	if low == 0 {
		return `{"match_all":{}}`
	}
	return fmt.Sprintf(`{"range":{"price":{"gte":%d}}}`, low)
}

func terms(index, field string, size int, low int32, keys, counts []int, name func(int) string) Request {
	body := fmt.Sprintf(`{"size":0,"track_total_hits":true,"query":%s,"aggs":{"t":{"terms":{"field":%q,"size":%d}}}}`, above(low), field, size)
	total, others := 0, 0
	for i, k := range keys {
		total += counts[k]
		if i >= size {
			others += counts[k]
		}
	}
	keys = slices.Clone(keys[:min(size, len(keys))])
	due := make([]int, len(keys))
	for i, k := range keys {
		due[i] = counts[k]
	}
	return search(index, body, func(got searchAnswer) error {
		t := got.Aggregations["t"]
		if len(t.Buckets) != len(keys) || t.Others != others {
			return fmt.Errorf("%d buckets and %d others, due were %d and %d", len(t.Buckets), t.Others, len(keys), others)
		}
		for i, b := range t.Buckets {
			if string(b.Key) != fmt.Sprintf("%q", name(keys[i])) || b.DocCount != due[i] {
				return fmt.Errorf("bucket %d is %s with %d, due was %s with %d", i, b.Key, b.DocCount, name(keys[i]), due[i])
			}
		}
		return got.total(total)
	})
}
