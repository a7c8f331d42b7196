package aggs

import (
	"encoding/binary"
	"math"

	"github.com/axiomhq/hyperloglog"

	"postern/internal/eserr"
	"postern/internal/mapping"
)

type cardinality struct {
	v         *values
	threshold int
}

// Elasticsearch's default for precision_threshold, and its bound.
const (
	defaultPrecision = 3000
	maxPrecision     = 40000
)

// cardinalityResult counts distinct values exactly up to the threshold, and beyond it by
// HyperLogLog with 2^16 registers.
type cardinalityResult struct {
	*cardinality
	exact  map[string]struct{}
	sketch *hyperloglog.Sketch
}

func parseCardinality(c *source) (aggregator, error) {
	a := c.a.Cardinality
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, unmapped: mapping.KindKeyword, points: true})
	if err != nil {
		return nil, err
	}
	threshold := defaultPrecision
	if p := a.PrecisionThreshold; p != nil {
		if *p < 0 {
			return nil, eserr.IllegalArgument("[precisionThreshold] must be greater than or equal to 0. Found [%d] in [%s]", *p, c.name)
		}
		threshold = int(min(*p, maxPrecision))
	}
	return &cardinality{v, threshold}, nil
}

func (a *cardinality) empty(*node) result {
	return &cardinalityResult{cardinality: a, exact: map[string]struct{}{}}
}

func (r *cardinalityResult) add(value []byte) {
	if r.sketch != nil {
		r.sketch.Insert(value)
		return
	}
	if _, known := r.exact[string(value)]; known {
		return
	}
	r.exact[string(value)] = struct{}{}
	if len(r.exact) > r.threshold {
		r.approximate()
	}
}

func (r *cardinalityResult) approximate() {
	r.sketch = hyperloglog.New16()
	for v := range r.exact {
		r.sketch.Insert([]byte(v))
	}
	r.exact = nil
}

func (r *cardinalityResult) collect(x *collector, s *selection) error {
	var buf [8]byte
	switch r.v.kind() {
	case mapping.KindKeyword, mapping.KindIP:
		k := r.v.keyword(s.seg)
		var seen []bool
		if k != nil {
			seen = make([]bool, k.NumTerms())
		}
		missing := false
		for _, d := range s.docs() {
			n := 0
			if k != nil {
				ords := k.Ords(d)
				n = len(ords)
				for _, o := range ords {
					seen[o] = true
				}
			}
			missing = missing || n == 0
		}
		for o, there := range seen {
			if there {
				r.add(k.TermBytes(uint32(o)))
			}
		}
		if missing && r.v.hasMissing() {
			r.add([]byte(r.v.missingText))
		}
	case mapping.KindGeoPoint:
		g := s.seg.Geo(r.v.field.Name)
		if g == nil {
			return nil
		}
		var point [16]byte
		for _, d := range s.docs() {
			lat, lon := g.Points(d)
			for i := range lat {
				binary.LittleEndian.PutUint64(point[:], math.Float64bits(lat[i]))
				binary.LittleEndian.PutUint64(point[8:], math.Float64bits(lon[i]))
				r.add(point[:])
			}
		}
	case mapping.KindDouble:
		_, vals := x.readDoubles(r.v, s)
		for _, v := range vals {
			binary.LittleEndian.PutUint64(buf[:], math.Float64bits(v))
			r.add(buf[:])
		}
	default:
		_, vals := x.readLongs(r.v, s)
		for i, v := range vals {
			if i > 0 && v == vals[i-1] {
				continue
			}
			binary.LittleEndian.PutUint64(buf[:], uint64(v))
			r.add(buf[:])
		}
	}
	return nil
}

func (r *cardinalityResult) merge(other result) {
	o := other.(*cardinalityResult)
	if o.sketch != nil {
		if r.sketch == nil {
			r.approximate()
		}
		// Both have as many registers, so that merging can't fail.
		_ = r.sketch.Merge(o.sketch)
		return
	}
	for v := range o.exact {
		r.add([]byte(v))
	}
}

func (r *cardinalityResult) count() int64 {
	if r.sketch != nil {
		return int64(r.sketch.Estimate())
	}
	return int64(len(r.exact))
}

func (r *cardinalityResult) number() float64      { return float64(r.count()) }
func (r *cardinalityResult) appendBody(w *writer) { w.int("value", r.count()) }
func (r *cardinalityResult) prefix() string       { return "cardinality" }
