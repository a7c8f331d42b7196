package workload

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"postern/benchmark/corpus"
)

const textSize = 10

// Text finds the ten best products for one of two words: a frequent and a rarer one.
func Text(index string, c *corpus.Catalogue, r *corpus.Ranking) Workload {
	return Workload{Name: "text top-10", Make: func(s Step) Op {
		const frequent, rare = 61, 1024
		n := spread(s.Unique, frequent*rare)
		a, b := uint16(n%frequent), uint16(frequent+n/frequent)
		return Op{scored(index, c, "match", a, b, r.Match(textSize, a, b), r.MatchScore)}
	}}
}

// Phrase finds the ten best products for two words in a row.
func Phrase(index string, c *corpus.Catalogue, r *corpus.Ranking) Workload {
	pairs := phrases(c, 20_000)
	return Workload{Name: "phrase", Make: func(s Step) Op {
		p := pairs[s.Unique%len(pairs)]
		return Op{scored(index, c, "match_phrase", p[0], p[1], r.Phrase(textSize, p[0], p[1]), r.PhraseScore)}
	}}
}

// phrases are different pairs of words that stand in a row somewhere, at most limit.
func phrases(c *corpus.Catalogue, limit int) [][2]uint16 {
	seen := map[[2]uint16]bool{}
	var pairs [][2]uint16
	for i := range c.Len() {
		text := c.Words[i]
		k := i % (len(text) - 1)
		if p := [2]uint16{text[k], text[k+1]}; p[0] != p[1] && !seen[p] {
			seen[p] = true
			if pairs = append(pairs, p); len(pairs) == limit {
				break
			}
		}
	}
	return pairs
}

func scored(index string, c *corpus.Catalogue, clause string, a, b uint16, want corpus.Best, score func(int32, uint16, uint16) float64) Request {
	body := fmt.Sprintf(`{"size":%d,"query":{%q:{"description":"%s %s"}}}`, textSize, clause, c.Vocabulary[a], c.Vocabulary[b])
	return search(index, body, func(got searchAnswer) error {
		if len(got.Hits.Hits) != len(want.Scores) {
			return fmt.Errorf("%d hits, due were %d", len(got.Hits.Hits), len(want.Scores))
		}
		seen := map[string]bool{}
		for i, h := range got.Hits.Hits {
			doc, err := strconv.Atoi(h.ID[1:])
			if err != nil || seen[h.ID] || h.Score == nil {
				return fmt.Errorf("hit %d is %q again, or has no score", i, h.ID)
			}
			seen[h.ID] = true
			// Which of several documents with one score comes first is the engine's choice; that
			// this document has the score that is due at this place is not.
			factor := *h.Score / want.Scores[i]
			if own := score(int32(doc), a, b); math.Abs(own/want.Scores[i]-1) > 1e-6 || math.Abs(factor-1) > 1e-4 && math.Abs(factor*2.2-1) > 1e-4 {
				return fmt.Errorf("hit %d is %s with %v; its score is %v, due was one of %v", i, h.ID, *h.Score, own, want.Scores[i])
			}
			if !bytes.Equal(h.Source, c.AppendSource(nil, doc)) {
				return fmt.Errorf("hit %d: the source of %s is %.200s", i, h.ID, h.Source)
			}
		}
		return got.trackedTotal(want.Total)
	})
}
