package workload

import (
	"fmt"
	"math"
	"time"

	"postern/benchmark/corpus"
)

// Histogram counts the products above a price by month, with the mean price of each.
func Histogram(index string, c *corpus.Catalogue) Workload {
	starts := make([]int64, 13)
	for m := range starts {
		starts[m] = time.Date(2024, time.Month(m+1), 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	}
	month := make([]uint8, c.Len())
	for i, at := range c.Added {
		month[i] = uint8(time.UnixMilli(at).UTC().Month() - 1)
	}
	return Workload{Name: "date histogram", Make: func(s Step) Op {
		low := low(s)
		var counts, sums [12]int
		total := 0
		for i, m := range month {
			if c.Price[i] >= low {
				counts[m]++
				sums[m] += int(c.Price[i])
				total++
			}
		}
		body := fmt.Sprintf(`{"size":0,"track_total_hits":true,"query":%s,"aggs":{"m":{"date_histogram":{"field":"added","calendar_interval":"month"},"aggs":{"P":{"avg":{"field":"price"}}}}}}`, above(low))
		return Op{search(index, body, func(got searchAnswer) error {
			buckets := got.Aggregations["m"].Buckets
			if len(buckets) != len(counts) {
				return fmt.Errorf("%d buckets, due were %d", len(buckets), len(counts))
			}
			for m, b := range buckets {
				mean := float64(sums[m]) / float64(counts[m])
				if string(b.Key) != fmt.Sprint(starts[m]) || b.DocCount != counts[m] || b.P.Value == nil || math.Abs(*b.P.Value/mean-1) > 1e-9 {
					return fmt.Errorf("bucket %d is %s with %d and %v, due was %d with %d and %v", m, b.Key, b.DocCount, b.P.Value, starts[m], counts[m], mean)
				}
			}
			return got.total(total)
		})}
	}}
}
