package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// A product is one deterministic catalogue document: the same number gives the same
// document in every run and for every engine.
type product struct {
	ID       string
	Rank     int
	Price    int
	Category string
	InStock  bool
	Added    int64 // milliseconds since 1970
	Text     string
}

const (
	categories   = 20
	firstAdded   = 1_704_067_200_000 // 2024-01-01
	addedSpanMin = 365 * 24 * 60
)

var words = []string{
	"steel", "oak", "travel", "light", "compact", "kettle", "lamp", "desk", "garden", "winter",
	"summer", "cotton", "leather", "cordless", "quiet", "folding", "classic", "modern", "blue", "red",
	"green", "black", "white", "kitchen", "outdoor", "office", "camera", "keyboard", "speaker", "charger",
}

// dataset makes n documents. Ranks are a permutation, so that a page sorted by rank
// has one right answer.
func dataset(n int, seed uint64) []product {
	rng := rand.New(rand.NewPCG(seed, 1))
	ranks := rng.Perm(n)
	docs := make([]product, n)
	for i := range docs {
		text := make([]byte, 0, 96)
		for w := range 6 + rng.IntN(8) {
			if w > 0 {
				text = append(text, ' ')
			}
			// The square makes early words common and late ones rare, as in real text.
			f := rng.Float64()
			text = append(text, words[int(f*f*float64(len(words)))]...)
		}
		docs[i] = product{
			ID:       "p" + strconv.Itoa(i),
			Rank:     ranks[i],
			Price:    rng.IntN(100_000),
			Category: fmt.Sprintf("category-%02d", rng.IntN(categories)),
			InStock:  rng.IntN(4) != 0,
			Added:    firstAdded + int64(rng.IntN(addedSpanMin))*60_000,
			Text:     string(text),
		}
	}
	return docs
}

func (p product) source() string {
	return fmt.Sprintf(`{"rank":%d,"price":%d,"category":%q,"in_stock":%t,"added":%d,"description":%q}`,
		p.Rank, p.Price, p.Category, p.InStock, p.Added, p.Text)
}

const indexBody = `{"settings":{"number_of_shards":1,"number_of_replicas":0},"mappings":{"dynamic":"strict","properties":{` +
	`"rank":{"type":"integer"},"price":{"type":"integer"},"category":{"type":"keyword"},"in_stock":{"type":"boolean"},` +
	`"added":{"type":"date"},"description":{"type":"text"}}}}`
