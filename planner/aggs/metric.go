package aggs

import (
	"math"

	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// numericMetric is a metric over the doubles of a field.
type numericMetric struct {
	values *values
	make   func(v *values) result
}

func (m *numericMetric) empty(*node) result { return m.make(m.values) }

func parseNumericMetric(c *source, field *string, missing jsonx.Value, format *string, make func(v *values) result) (aggregator, error) {
	v, err := c.numbers(wanted{field: field, missing: missing, format: format})
	if err != nil {
		return nil, err
	}
	return &numericMetric{v, make}, nil
}

// numbers resolves a field of numbers.
func (c *source) numbers(w wanted) (*values, error) {
	w.numeric, w.unmapped = true, mapping.KindDouble
	return c.values(w)
}

// kahan sums doubles with Kahan's compensation, as Elasticsearch's CompensatedSum does.
type kahan struct{ sum, delta float64 }

func (k *kahan) add(v float64) {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		k.sum += v
	}
	if math.IsInf(k.sum, 0) || math.IsNaN(k.sum) {
		return
	}
	corrected := v + k.delta
	updated := k.sum + corrected
	k.delta = corrected - (updated - k.sum)
	k.sum = updated
}

func (k *kahan) merge(o kahan) {
	k.add(o.sum)
	k.add(o.delta)
}

// value writes a metric and, where the field has a form of its own, its text.
func (w *writer) value(v float64, f *format) {
	w.floatOrNull("value", v)
	if f.shown() && !math.IsNaN(v) && !math.IsInf(v, 0) {
		w.string("value_as_string", f.double(v))
	}
}

// single is a metric of one number, which buckets can be ordered by.
type single interface{ number() float64 }

// figured is a metric of several numbers, which buckets can be ordered by, each by its
// name.
type figured interface {
	figure(name string) (float64, bool)
}
