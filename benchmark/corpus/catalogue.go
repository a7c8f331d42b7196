package corpus

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

const (
	// Categories is how many values the keyword "category" has.
	Categories = 20
	// MaxPrice is above every price.
	MaxPrice = 100_000
	// FirstAdded is the earliest "added", in milliseconds since 1970: 2024-01-01.
	FirstAdded   = 1_704_067_200_000
	addedMinutes = 366 * 24 * 60
	shortest     = 8  // words of a description
	longest      = 39 // the longest length that Lucene's norms keep exactly
)

// Catalogue is a shop's products, kept as columns.
type Catalogue struct {
	Rank     []int32 // a permutation: a page sorted by it has one right answer
	Price    []int32
	Category []uint8
	Vendor   []int32 // about a tenth as many vendors as products
	InStock  []bool
	Added    []int64 // milliseconds since 1970
	Words    []Text
	// ByRank lists the documents in ascending order of rank.
	ByRank []int32
	// Vocabulary is what the words of Text stand for.
	Vocabulary []string
}

// Text is a description: indices into the vocabulary.
type Text []uint16

// NewCatalogue makes n products; the same seed makes the same ones.
func NewCatalogue(n int, seed uint64) *Catalogue {
	rng := rand.New(rand.NewPCG(seed, 1))
	zipf := rand.NewZipf(rng, 1.2, 8, vocabularySize-1)
	c := &Catalogue{
		Rank: make([]int32, n), Price: make([]int32, n), Category: make([]uint8, n), Vendor: make([]int32, n),
		InStock: make([]bool, n), Added: make([]int64, n), Words: make([]Text, n), ByRank: make([]int32, n),
		Vocabulary: vocabulary(),
	}
	for i, rank := range rng.Perm(n) {
		c.Rank[i], c.ByRank[rank] = int32(rank), int32(i)
		c.Price[i] = int32(rng.IntN(MaxPrice))
		c.Category[i] = uint8(rng.IntN(Categories))
		c.Vendor[i] = int32(rng.IntN(n/10 + 1))
		c.InStock[i] = rng.IntN(4) != 0
		c.Added[i] = FirstAdded + int64(rng.IntN(addedMinutes))*60_000
		text := make(Text, shortest+rng.IntN(longest-shortest+1))
		for w := range text {
			text[w] = uint16(zipf.Uint64())
		}
		c.Words[i] = text
	}
	return c
}

// Name is what reports call it.
func (c *Catalogue) Name() string { return "catalogue" }

// Len is how many documents there are.
func (c *Catalogue) Len() int { return len(c.Rank) }

// ID is the i-th document's _id.
func (c *Catalogue) ID(i int) string { return "p" + strconv.Itoa(i) }

// CategoryName is the k-th value of "category".
func CategoryName(k int) string { return fmt.Sprintf("category-%02d", k) }

// VendorName is the k-th value of "vendor".
func VendorName(k int) string { return fmt.Sprintf("vendor-%06d", k) }

// AppendSource appends the i-th document's JSON to dst.
func (c *Catalogue) AppendSource(dst []byte, i int) []byte {
	dst = fmt.Appendf(dst, `{"rank":%d,"price":%d,"category":%q,"vendor":%q,"in_stock":%t,"added":%d,"description":"`,
		c.Rank[i], c.Price[i], CategoryName(int(c.Category[i])), VendorName(int(c.Vendor[i])), c.InStock[i], c.Added[i])
	for k, w := range c.Words[i] {
		if k > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, c.Vocabulary[w]...)
	}
	return append(dst, `"}`...)
}

// Mappings is the JSON of the index's mappings.
func (c *Catalogue) Mappings() string {
	return `{"dynamic":"strict","properties":{"rank":{"type":"integer"},"price":{"type":"integer"},"category":{"type":"keyword"},` +
		`"vendor":{"type":"keyword"},"in_stock":{"type":"boolean"},"added":{"type":"date"},"description":{"type":"text"}}}`
}

// Vendors counts the products of every vendor at or above a price, most products first, ties
// by name.
func (c *Catalogue) Vendors(low int32) (names []int, counts []int) {
	counts = make([]int, c.Len()/10+1)
	for i, v := range c.Vendor {
		if c.Price[i] >= low {
			counts[v]++
		}
	}
	for v, n := range counts {
		if n > 0 {
			names = append(names, v)
		}
	}
	slices.SortFunc(names, func(a, b int) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	return names, counts
}
