package aggs

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	gen "postern/generated/query"
	"postern/internal/jsonx"
	"postern/planner/query"
)

type filters struct {
	names []string // nil for anonymous filters
	nodes []query.Node
	keyed bool
	other bool
}

type filtersResult struct {
	*filters
	answered
	n     *node
	cells []*bucket
}

func parseFilters(c *source) (aggregator, error) {
	a := c.a.Filters
	f := &filters{keyed: true}
	if a.Filters != nil {
		// Elasticsearch keeps named filters in the order of their names.
		slices.SortFunc(a.Filters.Keyed, func(a, b jsonx.Pair[gen.QueryContainer]) int { return cmp.Compare(a.Key, b.Key) })
		for i := range a.Filters.Keyed {
			n, err := query.Parse(c.Context, &a.Filters.Keyed[i].Value)
			if err != nil {
				return nil, err
			}
			f.names = append(f.names, a.Filters.Keyed[i].Key)
			f.nodes = append(f.nodes, query.Filter(n))
		}
		for i := range a.Filters.List {
			n, err := query.Parse(c.Context, &a.Filters.List[i])
			if err != nil {
				return nil, err
			}
			f.nodes = append(f.nodes, query.Filter(n))
		}
	}
	if a.Keyed != nil {
		f.keyed = *a.Keyed
	}
	otherName := "_other_"
	if a.OtherBucketKey != nil {
		otherName, f.other = *a.OtherBucketKey, true
	}
	if a.OtherBucket != nil {
		f.other = *a.OtherBucket
	}
	if f.other && f.names != nil {
		f.names = append(f.names, otherName)
	}
	return f, nil
}

func (f *filters) empty(n *node) result {
	r := &filtersResult{filters: f, n: n}
	count := len(f.nodes)
	if f.other {
		count++
	}
	for range count {
		r.cells = append(r.cells, newBucket(n.subs))
	}
	return r
}

func (r *filtersResult) collect(x *collector, s *selection) error {
	var any *roaring.Bitmap
	if r.other {
		any = roaring.New()
	}
	for i, n := range r.nodes {
		docs, err := x.matching(n, s)
		if err != nil {
			return err
		}
		if any != nil {
			any.Or(docs)
		}
		if err := r.cells[i].collect(x, s.and(docs)); err != nil {
			return err
		}
	}
	if any != nil {
		return r.cells[len(r.nodes)].collect(x, s.andNot(any))
	}
	return nil
}

func (r *filtersResult) merge(other result) {
	for i, b := range other.(*filtersResult).cells {
		r.cells[i].merge(b)
	}
}

func (r *filtersResult) reduce() { r.all(r.cells) }

func (r *filtersResult) keyText(b *answerBucket) string {
	if r.names == nil {
		return strconv.FormatInt(b.long, 10)
	}
	return r.names[b.long]
}

func (r *filtersResult) appendBody(w *writer) {
	r.reduce()
	var keyed func(int) string
	if r.names != nil && r.keyed {
		keyed = func(i int) string { return r.keyText(&r.buckets[i]) }
	}
	w.bucketList(len(r.buckets), keyed, func(i int) {
		if r.names != nil && !r.keyed {
			w.string("key", r.keyText(&r.buckets[i]))
		}
		w.bucket(r.n, r.buckets[i].bucket)
	})
}

func (r *filtersResult) prefix() string { return "filters" }
