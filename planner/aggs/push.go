package aggs

import (
	"math"

	"postern/internal/mapping"
	"postern/internal/store"
	"postern/planner/query"
)

// Question is what a store's engine is asked instead of collecting documents: a count, or
// the counts of a field's values, among the matches of the search that Filter leaves.
type Question struct {
	Filter store.Filter
	// Facet is the field whose values are counted; empty for a count of documents.
	Facet  string
	count  func(n int64)
	values func(list []store.FacetValue)
}

// Count takes the answer of a question for a count.
func (q *Question) Count(n int64) { q.count(n) }

// Values takes the answer of a question for values, which must be all there are.
func (q *Question) Values(list []store.FacetValue) { q.values(list) }

// Reset forgets what has been collected.
func (t *Tree) Reset() {
	t.merged, t.added, t.postponed = false, nil, nil
	for i, n := range t.plan {
		t.results[i] = n.agg.empty(n)
	}
}

// Questions are those whose answers fill the tree; why tells of a tree that has to
// collect.
func (t *Tree) Questions() (list []Question, why string) {
	for i, r := range t.results {
		some, why := questions(t.plan[i], r)
		if why != "" {
			return nil, why
		}
		list = append(list, some...)
	}
	return list, ""
}

func questions(n *node, r result) ([]Question, string) {
	if len(n.subs) > 0 {
		return nil, "sub-aggregations"
	}
	switch r := r.(type) {
	case *termsResult:
		return r.questions()
	case *filtersResult:
		return r.questions()
	case *rangesResult:
		return r.questions()
	case *singleResult:
		return r.questions()
	}
	return nil, "an aggregation that no store knows"
}

// counting asks how many documents match a node.
func counting(n query.Node, b *bucket) (Question, string) {
	p := query.Push(n)
	return Question{Filter: p.Filter, count: func(n int64) { b.count = n }}, p.Why
}

func (r *termsResult) questions() ([]Question, string) {
	switch {
	case r.minCount == 0:
		return nil, "min_doc_count 0"
	case r.v.field == nil || !r.v.inScope || everyDocumentHas(r.v.field.Name):
		return nil, "no field of the documents"
	case r.v.as != r.v.field.Kind || r.v.nanos || r.doubles != nil:
		return nil, "values that are no terms"
	case r.longs != nil && r.v.hasMissing():
		return nil, "a missing value"
	}
	field := r.v.field.Name
	q := Question{Filter: store.All{}, Facet: field, values: func(list []store.FacetValue) {
		for _, v := range list {
			switch {
			case r.longs == nil && r.include.text([]byte(v.Term)):
				r.text(v.Term).count += v.Count
			case r.longs != nil && r.include.long(v.Long):
				b := newBucket(nil)
				b.count = v.Count
				r.longs[v.Long] = b
			}
		}
	}}
	list := []Question{q}
	if r.v.hasMissing() && r.include.text([]byte(r.v.missingText)) {
		list = append(list, Question{Filter: store.Not{Filter: store.Exists{Field: field}}, count: func(n int64) {
			if n > 0 {
				r.text(r.v.missingText).count += n
			}
		}})
	}
	return list, ""
}

func (r *filtersResult) questions() ([]Question, string) {
	var list []Question
	var any store.Or
	for i, n := range r.nodes {
		q, why := counting(n, r.cells[i])
		if why != "" {
			return nil, why
		}
		list, any = append(list, q), append(any, q.Filter)
	}
	if r.other {
		b := r.cells[len(r.nodes)]
		list = append(list, Question{Filter: store.Not{Filter: any}, count: func(n int64) { b.count = n }})
	}
	return list, ""
}

func (r *rangesResult) questions() ([]Question, string) {
	switch {
	case r.v.field == nil || !r.v.inScope || everyDocumentHas(r.v.field.Name):
		return nil, "no field of the documents"
	case r.v.nanos || r.v.hasMissing():
		return nil, "values that are not those of the column"
	}
	var list []Question
	for i := range r.bounds {
		f, why := r.filter(&r.bounds[i])
		if why != "" {
			return nil, why
		}
		b := r.cells[i]
		list = append(list, Question{Filter: f, count: func(n int64) { b.count = n }})
	}
	return list, ""
}

// filter is what lies in a range, whose end is not of it.
func (r *ranges) filter(one *oneRange) (store.Filter, string) {
	from, to := r.narrow(one.from), r.narrow(one.to)
	field := r.v.field.Name
	if !(from < to) {
		return store.Or{}, ""
	}
	if r.v.field.Kind == mapping.KindDouble {
		return store.Range{Field: field, From: from, To: math.Nextafter(to, math.Inf(-1))}, ""
	}
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	const whole = 1 << 53
	switch {
	case !math.IsInf(from, -1) && math.Abs(from) >= whole, !math.IsInf(to, 1) && math.Abs(to) >= whole:
		return nil, "a bound that float64 does not hold exactly"
	}
	if !math.IsInf(from, -1) {
		lo = int64(math.Ceil(from))
	}
	if !math.IsInf(to, 1) {
		hi = int64(math.Ceil(to)) - 1
	}
	p := query.PushLongs(field, lo, hi)
	return p.Filter, p.Why
}

func (r *singleResult) questions() ([]Question, string) {
	switch {
	case r.a.filter != nil:
		q, why := counting(r.a.filter, r.bucket)
		return []Question{q}, why
	case r.a.missing != nil && r.a.missing.inScope && !everyDocumentHas(r.a.missing.name()):
		q := Question{Filter: store.All{}, count: func(n int64) { r.bucket.count = n }}
		if v := r.a.missing; v.hasMissing() {
			q.Filter = store.Or{}
		} else if v.field != nil {
			q.Filter = store.Not{Filter: store.Exists{Field: v.field.Name}}
		}
		return []Question{q}, ""
	}
	return nil, "an aggregation that no store knows"
}

func (v *values) name() string {
	if v.field == nil {
		return ""
	}
	return v.field.Name
}

// Reads adds the columns that collecting looks at. local tells that no document counts but
// the matches, so that others need not be there.
func (t *Tree) Reads(r *query.Reading) (local bool) { return readAll(t.plan, r) }

func readAll(plan []*node, r *query.Reading) bool {
	local := true
	for _, n := range plan {
		var v *values
		switch a := n.agg.(type) {
		case *terms:
			v, local = a.v, local && a.minCount > 0
		case *singleBucket:
			if a.filter == nil && a.missing == nil && len(a.path) == 0 {
				r.Any, local = true, false // global, or one that has not been taught this
			}
			if v = a.missing; a.filter != nil {
				r.Node(a.filter)
			}
			for _, path := range a.path {
				r.Field(path)
			}
		case *filters:
			for _, sub := range a.nodes {
				r.Node(sub)
			}
		case *numericMetric:
			v = a.values
		case *cardinality:
			v = a.v
		case *dateHistogram:
			v = a.v
		case *histogram:
			v = a.v
		case *ranges:
			v = a.v
		case *valueCount:
			v = a.v
		default:
			r.Any, local = true, false
		}
		if v != nil && v.field != nil {
			r.Field(v.field.Name)
		}
		local = readAll(n.subs, r) && local
	}
	return local
}
