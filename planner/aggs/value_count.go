package aggs

import "postern/internal/mapping"

type valueCount struct{ v *values }

type valueCountResult struct {
	v     *values
	count int64
}

func parseValueCount(c *source) (aggregator, error) {
	a := c.a.ValueCount
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, format: a.Format, unmapped: mapping.KindKeyword, points: true})
	if err != nil {
		return nil, err
	}
	return &valueCount{v}, nil
}

func (a *valueCount) empty(*node) result { return &valueCountResult{v: a.v} }

func (r *valueCountResult) collect(x *collector, s *selection) error {
	switch r.v.kind() {
	case mapping.KindKeyword, mapping.KindIP:
		k := r.v.keyword(s.seg)
		for _, d := range s.docs() {
			n := 0
			if k != nil {
				n = len(k.Ords(d))
			}
			if n == 0 && r.v.hasMissing() {
				n = 1
			}
			r.count += int64(n)
		}
	case mapping.KindGeoPoint:
		if g := s.seg.Geo(r.v.field.Name); g != nil {
			for _, d := range s.docs() {
				lat, _ := g.Points(d)
				r.count += int64(len(lat))
			}
		}
	default:
		docs, _ := x.readDoubles(r.v, s)
		r.count += int64(len(docs))
	}
	return nil
}

func (r *valueCountResult) merge(other result)   { r.count += other.(*valueCountResult).count }
func (r *valueCountResult) number() float64      { return float64(r.count) }
func (r *valueCountResult) appendBody(w *writer) { w.int("value", r.count) }
func (r *valueCountResult) prefix() string       { return "value_count" }
