package aggs

import (
	"cmp"
	"math"
	"slices"

	gen "postern/generated/aggs"
)

// bucketSort rearranges the buckets of an answer and cuts a page out of them.
type bucketSort struct {
	sorts      []gen.SortOption
	from, size int // size −1: all
}

func newBucketSort(a *gen.BucketSortAggregation) bucketSort {
	s := bucketSort{sorts: a.Sort, size: -1}
	if a.From != nil {
		s.from = *a.From
	}
	if a.Size != nil {
		s.size = *a.Size
	}
	return s
}

// sortPath is the path that a sort is by.
func sortPath(s *gen.SortOption) string {
	switch s.Kind {
	case gen.SortOptionKindScore:
		return "_score"
	case gen.SortOptionKindDoc:
		return "_doc"
	}
	return s.Field.Key
}

func (s bucketSort) apply(p *pipe, n *node, r bucketed) error {
	buckets := r.list().buckets
	var at []int
	columns := make([][]float64, len(s.sorts)) // NaN for buckets without a value
	for j := range s.sorts {
		column, err := s.column(p, n, r, sortPath(&s.sorts[j]))
		if err != nil {
			return err
		}
		columns[j] = column
	}
	for i := range buckets {
		if len(columns) == 0 || slices.ContainsFunc(columns, func(c []float64) bool { return c == nil || !math.IsNaN(c[i]) }) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int {
		for j, column := range columns {
			if c := s.compare(j, column, &buckets[a], &buckets[b], a, b); c != 0 {
				return c
			}
		}
		return 0
	})
	from := min(s.from, len(at))
	to := len(at)
	if s.size >= 0 {
		to = min(to, from+s.size)
	}
	r.list().keep(at[from:to])
	return nil
}

// column reads what a sort is by from each bucket; nil stands for their keys.
func (s bucketSort) column(p *pipe, n *node, r bucketed, path string) ([]float64, error) {
	if path == "_key" {
		return nil, nil
	}
	read := *p
	read.paths = []string{path}
	vals, there, err := read.valuesOf(n, r)
	for i := range vals {
		if !there[i] {
			vals[i] = math.NaN()
		}
	}
	return vals, err
}

func (s bucketSort) compare(j int, column []float64, x, y *answerBucket, a, b int) int {
	desc := s.sorts[j].Field != nil && s.sorts[j].Field.Value.Order == gen.SortOrderDesc
	c := 0
	if column == nil {
		c = cmp.Or(cmp.Compare(x.long, y.long), cmp.Compare(x.text, y.text))
	} else {
		nx, ny := math.IsNaN(column[a]), math.IsNaN(column[b])
		if nx || ny { // what has no value comes last, whatever the order
			return cmp.Compare(btoi(nx), btoi(ny))
		}
		c = cmp.Compare(column[a], column[b])
	}
	if desc {
		return -c
	}
	return c
}
