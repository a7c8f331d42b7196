package aggs

import (
	"cmp"
	"math"
	"slices"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/segment"
)

// topMetrics is values of the documents that come first in some order.
type topMetrics struct {
	size    int
	by      *values // nil: the score
	hits    HitsPlanner
	desc    bool
	mode    gen.SortMode
	names   []string
	metrics []*values
}

type topMetricsResult struct {
	*topMetrics
	found []topMetric
}

// topMetric is one document with what it is sorted by.
type topMetric struct {
	of     *topMetrics
	seg    *segment.Segment
	doc    uint32
	number float64
	long   int64
}

// maxTopMetrics is the default of index.top_metrics_max_size.
const maxTopMetrics = 10

func parseTopMetrics(c *source) (aggregator, error) {
	a := c.a.TopMetrics
	out := &topMetrics{size: 1, hits: c.hits}
	if a.Size != nil {
		out.size = *a.Size
	}
	if out.size > maxTopMetrics {
		return nil, eserr.IllegalArgument("[top_metrics.size] must not be more than [%d] but was [%d]. This limit can be set by changing the [index.top_metrics_max_size] index level setting.", maxTopMetrics, out.size)
	}
	if err := out.parseSort(c, &a.Sort[0]); err != nil {
		return nil, err
	}
	for i := range a.Metrics {
		v, err := c.values(wanted{field: &a.Metrics[i].Field, unmapped: mapping.KindDouble})
		if err != nil {
			return nil, err
		}
		out.names, out.metrics = append(out.names, a.Metrics[i].Field), append(out.metrics, v)
	}
	return out, nil
}

func (a *topMetrics) parseSort(c *source, s *gen.SortOption) error {
	if s.Kind == gen.SortOptionKindScore {
		a.desc = s.Score == nil || s.Score.Order != gen.SortOrderAsc
		if c.hits == nil {
			return eserr.Refused("[top_metrics] by score is not supported here")
		}
		return nil
	}
	if s.Kind != gen.SortOptionKindField || s.Field == nil {
		return eserr.Refused("[top_metrics] supports sorting by fields and by the score only")
	}
	f := &s.Field.Value
	if f.Nested != nil || f.UnmappedType != nil || f.NumericType != 0 || f.Format != nil {
		return eserr.Refused("[top_metrics] supports [order], [mode] and [missing] of a sort only")
	}
	w := wanted{field: &s.Field.Key, numeric: true, unmapped: mapping.KindDouble}
	if f.Missing.Exists() {
		if text := f.Missing.Text(); text == "_first" || text == "_last" {
			return eserr.Refused("[top_metrics] supports a value only as [missing] of a sort")
		}
		w.missing = f.Missing
	}
	var err error
	a.by, err = c.values(w)
	a.desc, a.mode = f.Order == gen.SortOrderDesc, f.Mode
	return err
}

// checkTopMetrics finds what is wrong with a request whatever the index.
func checkTopMetrics(a *gen.TopMetricsAggregation) error {
	switch {
	case len(a.Sort) != 1:
		return eserr.IllegalArgument("[top_metrics] requires exactly one [sort]")
	case len(a.Metrics) == 0:
		return eserr.IllegalArgument("[top_metrics] requires at least one of [metrics]")
	case a.Size != nil && *a.Size < 1:
		return eserr.IllegalArgument("[size] must be greater than 0. Found [%d]", *a.Size)
	}
	return nil
}

func (a *topMetrics) empty(*node) result { return &topMetricsResult{topMetrics: a} }

func (r *topMetricsResult) collect(x *collector, s *selection) error {
	switch {
	case r.by == nil:
		scores, err := r.hits.Scores(x.exec, x.place(s.seg), s.docs())
		if err != nil {
			return err
		}
		for _, d := range s.docs() {
			r.offer(topMetric{of: r.topMetrics, seg: s.seg, doc: d, number: float64(scores[d])})
		}
	case r.by.as == mapping.KindLong:
		docs, vals := x.readLongs(r.by, s)
		eachDocument(docs, func(d uint32, from, to int) {
			v := r.one(to-from, func(i int) float64 { return float64(vals[from+i]) })
			r.offer(topMetric{of: r.topMetrics, seg: s.seg, doc: d, number: v, long: vals[from+r.at(to-from)]})
		})
	default:
		docs, vals := x.readDoubles(r.by, s)
		eachDocument(docs, func(d uint32, from, to int) {
			r.offer(topMetric{of: r.topMetrics, seg: s.seg, doc: d, number: r.one(to-from, func(i int) float64 { return vals[from+i] })})
		})
	}
	return nil
}

// eachDocument visits the entries of each document.
func eachDocument(docs []uint32, visit func(doc uint32, from, to int)) {
	for from := 0; from < len(docs); {
		to := from + 1
		for to < len(docs) && docs[to] == docs[from] {
			to++
		}
		visit(docs[from], from, to)
		from = to
	}
}

// at is which of a document's n values, which ascend, it is sorted by.
func (a *topMetrics) at(n int) int {
	if a.mode == gen.SortModeMax || a.mode != gen.SortModeMin && a.desc {
		return n - 1
	}
	return 0
}

func (a *topMetrics) one(n int, value func(i int) float64) float64 {
	switch a.mode {
	case gen.SortModeSum, gen.SortModeAvg:
		sum := 0.0
		for i := range n {
			sum += value(i)
		}
		if a.mode == gen.SortModeAvg {
			sum /= float64(n)
		}
		return sum
	case gen.SortModeMedian:
		return (value((n-1)/2) + value(n/2)) / 2
	}
	return value(a.at(n))
}

func (r *topMetricsResult) offer(m topMetric) {
	if r.found = append(r.found, m); len(r.found) >= 1024 {
		r.prune()
	}
}

func (r *topMetricsResult) prune() {
	slices.SortStableFunc(r.found, func(a, b topMetric) int {
		c := cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.long, b.long))
		if r.desc {
			return -c
		}
		return c
	})
	r.found = r.found[:min(len(r.found), r.size)]
}

func (r *topMetricsResult) merge(other result) {
	r.found = append(r.found, other.(*topMetricsResult).found...)
}

// appendSort writes what the document was sorted by.
func (m *topMetric) appendSort(w *writer) {
	v := m.of.by
	switch {
	case v == nil:
		w.elementFloat32(float32(m.number))
	case v.format.dates != nil:
		w.elementString(v.format.long(m.long))
	case v.as == mapping.KindLong && m.number == float64(m.long):
		w.elementInt(m.long)
	default:
		w.elementFloat(m.number)
	}
}

// appendMetric writes the first value of a field, as the field shows it.
func (m *topMetric) appendMetric(w *writer, name string, v *values) {
	longs, doubles := v.pick(m.seg)
	switch {
	case longs != nil && len(longs.Values(m.doc)) > 0:
		n := longs.Values(m.doc)[0]
		if v.nanos {
			n /= 1e6
		}
		switch {
		case v.format.dates != nil:
			w.string(name, v.format.long(n))
		case v.format.boolean:
			w.bool(name, n != 0)
		default:
			w.int(name, n)
		}
	case doubles != nil && len(doubles.Values(m.doc)) > 0:
		w.float(name, doubles.Values(m.doc)[0])
	default:
		if k := v.keyword(m.seg); k != nil && len(k.Ords(m.doc)) > 0 {
			term := k.Term(k.Ords(m.doc)[0])
			if v.as == mapping.KindIP {
				term = ipText([]byte(term))
			}
			w.string(name, term)
			return
		}
		w.floatOrNull(name, math.NaN())
	}
}

// figure is a metric of the first document, for orders and paths.
func (r *topMetricsResult) figure(name string) (float64, bool) {
	at := slices.Index(r.names, name)
	if at < 0 {
		return 0, false
	}
	r.prune()
	if len(r.found) == 0 {
		return math.NaN(), true
	}
	m := &r.found[0]
	v := m.of.metrics[at]
	longs, doubles := v.pick(m.seg)
	switch {
	case longs != nil && len(longs.Values(m.doc)) > 0:
		return float64(longs.Values(m.doc)[0]), true
	case doubles != nil && len(doubles.Values(m.doc)) > 0:
		return doubles.Values(m.doc)[0], true
	}
	return math.NaN(), true
}

func (r *topMetricsResult) appendBody(w *writer) {
	r.prune()
	w.name("top")
	w.braces('[', ']', func() {
		for i := range r.found {
			m := &r.found[i]
			w.item(func() {
				w.name("sort")
				w.braces('[', ']', func() { m.appendSort(w) })
				w.object("metrics", func() {
					for j, name := range r.names {
						m.appendMetric(w, name, m.of.metrics[j])
					}
				})
			})
		}
	})
}

func (r *topMetricsResult) prefix() string { return "top_metrics" }
