package xcontent

import (
	"sort"
	"strings"
)

// Suggest is Elasticsearch's " did you mean [x]?" after an unknown name, or nothing
// when none of the known ones is near.
func Suggest(name string, known []string) string {
	near := Near(name, known, 0.5)
	switch len(near) {
	case 0:
		return ""
	case 1:
		return " did you mean [" + near[0] + "]?"
	}
	return " did you mean any of [" + strings.Join(near, ", ") + "]?"
}

// Near lists the known names that are at least so similar, the nearest first.
func Near(name string, known []string, least float64) []string {
	type candidate struct {
		name  string
		score float64
	}
	var found []candidate
	for _, k := range known {
		if s := similarity(name, k); s > least {
			found = append(found, candidate{k, s})
		}
	}
	sort.Slice(found, func(i, j int) bool {
		if found[i].score != found[j].score {
			return found[i].score > found[j].score
		}
		return found[i].name < found[j].name
	})
	near := make([]string, len(found))
	for i, f := range found {
		near[i] = f.name
	}
	return near
}

// similarity is Lucene's LevenshteinDistance: 1 - distance / longer length, in float32.
func similarity(a, b string) float64 {
	ra, rb := []rune(a), []rune(b)
	if len(ra) == 0 || len(rb) == 0 {
		if len(ra) == len(rb) {
			return 1
		}
		return 0
	}
	row := make([]int, len(ra)+1)
	for i := range row {
		row[i] = i
	}
	for j := 1; j <= len(rb); j++ {
		diagonal := row[0]
		row[0] = j
		for i := 1; i <= len(ra); i++ {
			cost := diagonal
			if ra[i-1] != rb[j-1] {
				cost++
			}
			diagonal = row[i]
			row[i] = min(row[i]+1, row[i-1]+1, cost)
		}
	}
	return float64(1 - float32(row[len(ra)])/float32(max(len(ra), len(rb))))
}
