package query

import (
	"math"

	"postern/internal/mapping"
	"postern/internal/segment"
)

// Scores are BM25 as Lucene's BM25Similarity computes it, in float32, with the factor k1+1
// that Elasticsearch 8 keeps.

// fieldStats are the collection statistics of one field over the live documents.
type fieldStats struct {
	docs     int64 // documents that have the field
	k1       float32
	inverted *[256]float32 // see inverseNorms
}

// inverseNorms tabulates 1 / (k1 * ((1 - b) + b * length/avgLen)) by encoded length.
func inverseNorms(p mapping.BM25, avgLen float32) *[256]float32 {
	t := new([256]float32)
	for i := range t {
		t[i] = 1 / (p.K1 * ((1 - p.B) + p.B*decodedLengths[i]/avgLen))
	}
	return t
}

// newStats are the statistics of a field that docs documents have, with terms in sum.
func newStats(p mapping.BM25, docs, terms int64) fieldStats {
	st := fieldStats{docs: docs, k1: p.K1}
	if docs > 0 {
		st.inverted = inverseNorms(p, float32(float64(terms)/float64(docs)))
	}
	return st
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
	return bm25{weight: boost * (1 + st.k1) * idf, norms: st.inverted}
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
