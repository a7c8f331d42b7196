package query

import (
	"math"

	"postern/internal/segment"
)

// BM25 as Lucene's BM25Similarity computes it, in float32, with the factor k1+1 that
// Elasticsearch 8 keeps.
const (
	bm25K1 float32 = 1.2
	bm25B  float32 = 0.75
)

// fieldStats are the collection statistics of one field over the live documents.
type fieldStats struct {
	docs     int64   // documents that have the field
	avgLen   float32 // average number of terms in them
	inverted *[256]float32
}

// inverseNorms tabulates 1 / (k1 * ((1 - b) + b * length/avgLen)) by encoded length.
func inverseNorms(avgLen float32) *[256]float32 {
	t := new([256]float32)
	for i := range t {
		t[i] = 1 / (bm25K1 * ((1 - bm25B) + bm25B*decodedLengths[i]/avgLen))
	}
	return t
}

func idf(docs, docFreq int64) float32 {
	return float32(math.Log(1 + (float64(docs)-float64(docFreq)+0.5)/(float64(docFreq)+0.5)))
}

// bm25 scores one term or phrase of a field.
type bm25 struct {
	weight float32
	norms  *[256]float32
}

func newBM25(boost, idf float32, st fieldStats) bm25 {
	return bm25{weight: boost * (1 + bm25K1) * idf, norms: st.inverted}
}

func (b *bm25) score(freq float32, norm byte) float32 {
	return b.weight - b.weight/(1+freq*b.norms[norm])
}

// unnormed is the encoded length Lucene takes where a field keeps no norms.
const unnormed byte = 1

// decodedLengths are Lucene's SmallFloat.byte4ToInt of every byte.
var decodedLengths = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(segment.DecodeLength(byte(i)))
	}
	return t
}()
