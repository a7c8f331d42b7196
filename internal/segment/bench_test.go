package segment

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"postern/internal/analysis"
	"postern/internal/mapping"
)

var catalogue = []*mapping.Field{
	{Name: "brand", Kind: mapping.KindKeyword}, {Name: "sku", Kind: mapping.KindKeyword},
	{Name: "price", Kind: mapping.KindDouble}, {Name: "stock", Kind: mapping.KindLong},
	{Name: "added", Kind: mapping.KindLong}, {Name: "title", Kind: mapping.KindText, PositionIncrementGap: 100},
}

// product is a typical document of a catalogue.
func product(rng *rand.Rand, i int) *mapping.Document {
	d := &mapping.Document{ID: fmt.Sprint("product-", i), SeqNo: int64(i), Version: 1}
	values := []mapping.Value{{S: fmt.Sprint("brand-", rng.IntN(50))}, {S: fmt.Sprint("sku-", i)}, {F: float64(rng.IntN(100000)) / 100},
		{I: rng.Int64N(500)}, {I: 1_700_000_000_000 + rng.Int64N(1e10)}, {}}
	for j := range 8 {
		values[5].Tokens = append(values[5].Tokens, analysis.Token{Term: fmt.Sprint("word", int(rng.ExpFloat64()*200)), Position: j})
	}
	for j := range values {
		values[j].Field = catalogue[j]
	}
	d.Values = values
	return d
}

func products(n int) []*mapping.Document {
	rng := rand.New(rand.NewPCG(1, 0))
	docs := make([]*mapping.Document, n)
	for i := range docs {
		docs[i] = product(rng, i)
	}
	return docs
}

func sealed(docs []*mapping.Document) *Segment {
	t := NewTail()
	for _, d := range docs {
		t.Append(d)
	}
	return t.Seal()
}

// Ten thousand products of six fields take a few megabytes.
func TestBytesOfACatalogue(t *testing.T) {
	s := sealed(products(10000))
	if got := s.Bytes(); got > 3<<20 {
		t.Errorf("%d bytes: %v", got, s.ColumnBytes())
	}
}

func BenchmarkSeal(b *testing.B) {
	docs := products(10000)
	b.ReportAllocs()
	for b.Loop() {
		sealed(docs)
	}
}

func BenchmarkMerge(b *testing.B) {
	docs := products(10000)
	parts := []Part{{Segment: sealed(docs[:6000])}, {Segment: sealed(docs[6000:9000])}, {Segment: sealed(docs[9000:])}}
	b.ReportAllocs()
	for b.Loop() {
		Merge(parts)
	}
}

func BenchmarkRange(b *testing.B) {
	c := sealed(products(10000)).Double("price")
	b.Run("scan", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Range(100, 900)
		}
	})
	c.Order()
	b.Run("few by order", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Range(100, 110)
		}
	})
}

func BenchmarkTerm(b *testing.B) {
	k := sealed(products(10000)).Keyword("brand")
	b.ReportAllocs()
	for b.Loop() {
		if ord, ok := k.Lookup("brand-7"); ok {
			k.Postings(ord)
		}
	}
}
