package workload

import (
	"bytes"
	"fmt"

	"postern/benchmark/corpus"
)

const pageSize = 20

// SortedPage is a page of 20, filtered by category and price, sorted by rank, with an exact
// total.
func SortedPage(index string, c *corpus.Catalogue) Workload {
	return Workload{Name: "filtered sorted page", Make: func(s Step) Op { return Op{page(index, c, s, -1)} }}
}

// CursorPage is the page after a cursor amid the ranks.
func CursorPage(index string, c *corpus.Catalogue) Workload {
	return Workload{Name: "page after a cursor", Make: func(s Step) Op {
		return Op{page(index, c, s, spread(s.Unique, c.Len()/2))}
	}}
}

func page(index string, c *corpus.Catalogue, s Step, cursor int) Request {
	n := spread(s.Unique, corpus.Categories*corpus.MaxPrice/2)
	category, low := n%corpus.Categories, int32(n/corpus.Categories)
	after := ""
	if cursor >= 0 {
		after = fmt.Sprintf(`,"search_after":[%d]`, cursor)
	}
	var want []int32
	total := 0
	for _, d := range c.ByRank {
		if int(c.Category[d]) != category || c.Price[d] < low {
			continue
		}
		total++
		if int(c.Rank[d]) > cursor && len(want) < pageSize {
			want = append(want, d)
		}
	}
	body := fmt.Sprintf(`{"size":%d,"track_total_hits":true,"query":{"bool":{"filter":[{"term":{"category":%q}},{"range":{"price":{"gte":%d}}}]}},"sort":[{"rank":"asc"}]%s}`,
		pageSize, corpus.CategoryName(category), low, after)
	return search(index, body, func(got searchAnswer) error {
		if err := got.total(total); err != nil {
			return err
		}
		return sorted(got, c, want)
	})
}

// sorted checks ids, whole sources and sort values of hits that are sorted by rank.
func sorted(got searchAnswer, c *corpus.Catalogue, want []int32) error {
	if len(got.Hits.Hits) != len(want) {
		return fmt.Errorf("%d hits, due were %d", len(got.Hits.Hits), len(want))
	}
	var source []byte
	for i, h := range got.Hits.Hits {
		d := int(want[i])
		source = c.AppendSource(source[:0], d)
		if h.ID != c.ID(d) || len(h.Sort) != 1 || string(h.Sort[0]) != fmt.Sprint(c.Rank[d]) || !bytes.Equal(h.Source, source) {
			return fmt.Errorf("hit %d is %s with %s and %.200s, due was %s with %d", i, h.ID, h.Sort, h.Source, c.ID(d), c.Rank[d])
		}
	}
	return nil
}

func search(index, body string, check func(searchAnswer) error) Request {
	return Request{Method: "POST", Path: "/" + index + "/_search", Body: []byte(body), Check: func(answer []byte) error {
		got, err := decodeSearch(answer)
		if err != nil {
			return err
		}
		if err := check(got); err != nil {
			return fmt.Errorf("%w; asked was %s", err, body)
		}
		return nil
	}}
}
