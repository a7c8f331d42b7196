package corpus

import (
	"math"
	"slices"
)

// Ranking answers scored questions about a catalogue's descriptions with BM25, k1 = 1.2 and
// b = 0.75, as Elasticsearch does (with its factor of k1 + 1, which OpenSearch 3 has not).
type Ranking struct {
	catalogue *Catalogue
	docs      [][]int32 // by word: the documents that hold it
	average   float64   // words of a description
	scores    []float64 // by document; zero between questions
}

// Best is what a scored question has for an answer.
type Best struct {
	Total  int
	Scores []float64 // the best ones, descending
}

// NewRanking reads the statistics of a catalogue.
func NewRanking(c *Catalogue) *Ranking {
	r := &Ranking{catalogue: c, docs: make([][]int32, len(c.Vocabulary)), scores: make([]float64, c.Len())}
	words := 0
	for i, text := range c.Words {
		words += len(text)
		for _, w := range text {
			if d := r.docs[w]; len(d) == 0 || d[len(d)-1] != int32(i) {
				r.docs[w] = append(d, int32(i))
			}
		}
	}
	r.average = float64(words) / float64(max(1, c.Len()))
	return r
}

// Holding is how many documents hold the word.
func (r *Ranking) Holding(w uint16) int { return len(r.docs[w]) }

// Match finds the k best scores of the documents that hold either word.
func (r *Ranking) Match(k int, a, b uint16) Best {
	var matching []int32
	for _, w := range [2]uint16{a, b} {
		for _, d := range r.docs[w] {
			if r.scores[d] == 0 {
				matching = append(matching, d)
				r.scores[d] = r.MatchScore(d, a, b)
			}
		}
	}
	return r.best(k, matching)
}

// Phrase finds the k best scores of the documents that hold b right after a.
func (r *Ranking) Phrase(k int, a, b uint16) Best {
	var matching []int32
	for _, d := range r.docs[a] {
		if s := r.PhraseScore(d, a, b); s > 0 {
			matching = append(matching, d)
			r.scores[d] = s
		}
	}
	return r.best(k, matching)
}

// MatchScore is a document's score for either word.
func (r *Ranking) MatchScore(doc int32, a, b uint16) float64 {
	inA, inB := 0, 0
	for _, have := range r.catalogue.Words[doc] {
		if have == a {
			inA++
		}
		if have == b {
			inB++
		}
	}
	return r.score(doc, inA, r.idf(a)) + r.score(doc, inB, r.idf(b))
}

// PhraseScore is a document's score for b right after a.
func (r *Ranking) PhraseScore(doc int32, a, b uint16) float64 {
	text, freq := r.catalogue.Words[doc], 0
	for k := range len(text) - 1 {
		if text[k] == a && text[k+1] == b {
			freq++
		}
	}
	return r.score(doc, freq, r.idf(a)+r.idf(b))
}

func (r *Ranking) idf(w uint16) float64 {
	n := float64(len(r.docs[w]))
	return math.Log(1 + (float64(r.catalogue.Len())-n+.5)/(n+.5))
}

func (r *Ranking) score(doc int32, freq int, idf float64) float64 {
	const k1, b = 1.2, .75
	f, length := float64(freq), float64(len(r.catalogue.Words[doc]))
	return (k1 + 1) * idf * f / (f + k1*(1-b+b*length/r.average))
}

// best reads and clears the scores of the matching documents.
func (r *Ranking) best(k int, matching []int32) Best {
	all := make([]float64, len(matching))
	for i, d := range matching {
		all[i], r.scores[d] = -r.scores[d], 0
	}
	slices.Sort(all)
	top := make([]float64, min(k, len(all)))
	for i := range top {
		top[i] = -all[i]
	}
	return Best{Total: len(all), Scores: top}
}
