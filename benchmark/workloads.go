package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A request is one question with the check of its answer. The checks run outside the
// timed span; expected values come from the documents, never from an engine.
type request struct {
	Method, Path, Body string
	check              func(answer []byte) error
}

// A workload makes its i-th request; warm workloads repeat one, cold ones never do.
type workload struct {
	Name string
	make func(i int) request
}

type searchAnswer struct {
	Hits struct {
		Total struct {
			Value    int
			Relation string
		}
		Hits []struct {
			ID     string            `json:"_id"`
			Source json.RawMessage   `json:"_source"`
			Sort   []json.RawMessage `json:"sort"`
			Score  *float64          `json:"_score"`
		}
	}
	Aggregations map[string]struct {
		DocCount int `json:"doc_count"`
		Buckets  []struct {
			Key      json.RawMessage
			DocCount int `json:"doc_count"`
		}
		Sum int `json:"sum_other_doc_count"`
	}
}

func decodeSearch(answer []byte) (searchAnswer, error) {
	var s searchAnswer
	err := json.Unmarshal(answer, &s)
	return s, err
}

// workloads lists the questions of DESIGN §12 that are asked of every engine.
func workloads(index string, docs []product, seed uint64) []workload {
	rng := func(i int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(i))) }
	byRank := slices.Clone(docs)
	slices.SortFunc(byRank, func(a, b product) int { return cmp.Compare(a.Rank, b.Rank) })
	byCategory := map[string]int{}
	for _, d := range docs {
		byCategory[d.Category]++
	}
	fixed := func(make func(i int) request) func(int) request {
		one := make(0)
		return func(int) request { return one }
	}

	read := func(i int) request {
		d := docs[rng(i).IntN(len(docs))]
		return request{"GET", "/" + index + "/_doc/" + d.ID, "", func(answer []byte) error {
			var got struct {
				ID     string          `json:"_id"`
				Source json.RawMessage `json:"_source"`
			}
			if err := json.Unmarshal(answer, &got); err != nil {
				return err
			}
			if got.ID != d.ID || string(got.Source) != d.source() {
				return fmt.Errorf("read %s: got %.200s", d.ID, answer)
			}
			return nil
		}}
	}
	page := func(after bool) func(i int) request {
		return func(i int) request {
			r := rng(i)
			category := fmt.Sprintf("category-%02d", r.IntN(categories))
			low := r.IntN(50_000)
			cursor, search := -1, ""
			if after {
				cursor = r.IntN(len(docs) / 2)
				search = fmt.Sprintf(`,"search_after":[%d]`, cursor)
			}
			body := fmt.Sprintf(`{"size":20,"track_total_hits":true,"query":{"bool":{"filter":[{"term":{"category":%q}},{"range":{"price":{"gte":%d}}}]}},"sort":[{"rank":"asc"}]%s}`, category, low, search)
			return request{"POST", "/" + index + "/_search", body, func(answer []byte) error {
				got, err := decodeSearch(answer)
				if err != nil {
					return err
				}
				total, at := 0, 0
				for _, d := range byRank {
					if d.Category != category || d.Price < low {
						continue
					}
					total++
					if d.Rank <= cursor || at == 20 {
						continue
					}
					if at >= len(got.Hits.Hits) {
						return fmt.Errorf("page: %d hits, more were due", at)
					}
					h := got.Hits.Hits[at]
					if h.ID != d.ID || string(h.Source) != d.source() || len(h.Sort) != 1 || string(h.Sort[0]) != fmt.Sprint(d.Rank) {
						return fmt.Errorf("page: hit %d is %s with %s, due was %s with %d", at, h.ID, h.Sort, d.ID, d.Rank)
					}
					at++
				}
				if got.Hits.Total.Value != total || got.Hits.Total.Relation != "eq" || at != len(got.Hits.Hits) {
					return fmt.Errorf("page: total %v of %d, hits %d of %d", got.Hits.Total, total, len(got.Hits.Hits), at)
				}
				return nil
			}}
		}
	}
	terms := func(i int) request {
		low := 0
		if i > 0 {
			low = 1 + rng(i).IntN(50_000)
		}
		body := fmt.Sprintf(`{"size":0,"query":{"range":{"price":{"gte":%d}}},"aggs":{"c":{"terms":{"field":"category","size":%d}}}}`, low, categories)
		return request{"POST", "/" + index + "/_search", body, func(answer []byte) error {
			got, err := decodeSearch(answer)
			if err != nil {
				return err
			}
			want := map[string]int{}
			for _, d := range docs {
				if d.Price >= low {
					want[d.Category]++
				}
			}
			keys := make([]string, 0, len(want))
			for k := range want {
				keys = append(keys, k)
			}
			slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(want[b], want[a]), cmp.Compare(a, b)) })
			buckets := got.Aggregations["c"].Buckets
			if len(buckets) != len(keys) {
				return fmt.Errorf("terms: %d buckets of %d", len(buckets), len(keys))
			}
			for n, k := range keys {
				if string(buckets[n].Key) != fmt.Sprintf("%q", k) || buckets[n].DocCount != want[k] {
					return fmt.Errorf("terms: bucket %d is %s %d, due was %s %d", n, buckets[n].Key, buckets[n].DocCount, k, want[k])
				}
			}
			return nil
		}}
	}
	counts := func(i int) request {
		r := rng(i)
		category, low := fmt.Sprintf("category-%02d", r.IntN(categories)), r.IntN(90_000)
		body := fmt.Sprintf(`{"size":0,"aggs":{"a":{"filter":{"term":{"category":%q}}},"b":{"filter":{"range":{"price":{"gte":%d}}}}}}`, category, low)
		return request{"POST", "/" + index + "/_search", body, func(answer []byte) error {
			got, err := decodeSearch(answer)
			if err != nil {
				return err
			}
			b := 0
			for _, d := range docs {
				if d.Price >= low {
					b++
				}
			}
			if got.Aggregations["a"].DocCount != byCategory[category] || got.Aggregations["b"].DocCount != b {
				return fmt.Errorf("counts: %v, due were %d and %d", got.Aggregations, byCategory[category], b)
			}
			return nil
		}}
	}
	text := func(i int) request {
		r := rng(i)
		a, b := words[r.IntN(len(words))], words[r.IntN(len(words))]
		body := fmt.Sprintf(`{"size":10,"query":{"match":{"description":%q}}}`, a+" "+b)
		return request{"POST", "/" + index + "/_search", body, func(answer []byte) error {
			got, err := decodeSearch(answer)
			if err != nil {
				return err
			}
			for n, h := range got.Hits.Hits {
				if h.Score == nil || n > 0 && *got.Hits.Hits[n-1].Score < *h.Score {
					return fmt.Errorf("text: scores are not in order: %.300s", answer)
				}
			}
			if len(got.Hits.Hits) == 0 {
				return fmt.Errorf("text: no hit for %q %q", a, b)
			}
			return nil
		}}
	}
	histogram := func(i int) request {
		low := 0
		if i > 0 {
			low = 1 + rng(i).IntN(50_000)
		}
		body := fmt.Sprintf(`{"size":0,"query":{"range":{"price":{"gte":%d}}},"aggs":{"m":{"date_histogram":{"field":"added","calendar_interval":"month"},"aggs":{"p":{"avg":{"field":"price"}}}}}}`, low)
		return request{"POST", "/" + index + "/_search", body, func(answer []byte) error {
			got, err := decodeSearch(answer)
			if err != nil {
				return err
			}
			sum, want := 0, 0
			for _, b := range got.Aggregations["m"].Buckets {
				sum += b.DocCount
			}
			for _, d := range docs {
				if d.Price >= low {
					want++
				}
			}
			if sum != want || len(got.Aggregations["m"].Buckets) != 12 {
				return fmt.Errorf("histogram: %d documents of %d in %d buckets", sum, want, len(got.Aggregations["m"].Buckets))
			}
			return nil
		}}
	}
	return []workload{
		{"read, warm", fixed(read)}, {"read, cold", read},
		{"sorted page, warm", fixed(page(false))}, {"sorted page, cold", page(false)},
		{"cursor page, cold", page(true)},
		{"terms, warm", fixed(terms)}, {"terms, cold", terms},
		{"two filter counts, cold", counts},
		{"text top-10, cold", text},
		{"date histogram, cold", histogram},
	}
}
