package aggs

import (
	"math"

	"postern/internal/jsonx"
)

// extremeBucket is min_bucket, or max_bucket when greatest is set.
type extremeBucket struct{ greatest bool }

// bucketMetric is a value with the keys of the buckets that have it.
type bucketMetric struct {
	simpleValue
	keys []string
}

func (e extremeBucket) combine(p *pipe, keys []string, vals []float64) appender {
	r := &bucketMetric{simpleValue: simpleValue{math.Inf(1), &p.format}}
	if e.greatest {
		r.value = math.Inf(-1)
	}
	for i, v := range vals {
		switch {
		case e.greatest && v > r.value, !e.greatest && v < r.value:
			r.value, r.keys = v, append(r.keys[:0], keys[i])
		case math.Float64bits(v) == math.Float64bits(r.value): // -0.0 and 0.0 are not the same
			r.keys = append(r.keys, keys[i])
		}
	}
	return r
}

func (r *bucketMetric) appendBody(w *writer) {
	r.simpleValue.appendBody(w)
	w.name("keys")
	w.b = append(w.b, '[')
	for i, k := range r.keys {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = jsonx.AppendString(w.b, k)
	}
	w.b = append(w.b, ']')
}

func (r *bucketMetric) prefix() string { return "bucket_metric_value" }
