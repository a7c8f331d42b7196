package aggs

// simpleValue is the one number that most pipelines make.
type simpleValue struct {
	value  float64
	format *format
}

func (r *simpleValue) number() float64      { return r.value }
func (r *simpleValue) appendBody(w *writer) { w.value(r.value, r.format) }
func (r *simpleValue) prefix() string       { return "simple_value" }

// add gives a bucket the number that a pipeline has made for it.
func (p *pipe) add(b *bucket, v float64) {
	b.added = append(b.added, addition{p, &simpleValue{v, &p.format}})
}

// valuesOf reads the pipeline's path from each bucket; there[i] is false where it leads
// nowhere.
func (p *pipe) valuesOf(n *node, r bucketed) (vals []float64, there []bool, _ error) {
	path, err := parsePath(p.paths[0])
	if err != nil {
		return nil, nil, err
	}
	steps := names(path)
	buckets := r.list().buckets
	vals, there = make([]float64, len(buckets)), make([]bool, len(buckets))
	for i := range buckets {
		if vals[i], there[i], err = bucketValue(n, r, &buckets[i], steps, p.gap); err != nil {
			return nil, nil, err
		}
	}
	return vals, there, nil
}
