package aggs

import (
	"encoding/binary"
	"math"

	"github.com/cespare/xxhash/v2"

	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/sketch"
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

// cardinalityResult counts numbers by a hash that no two have in common, texts and points
// by one of 64 bits.
type cardinalityResult struct {
	*cardinality
	seen *sketch.Distinct
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
	return &cardinalityResult{cardinality: a, seen: sketch.NewDistinct(a.threshold)}
}

func (r *cardinalityResult) collect(x *collector, s *selection) error {
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
				r.seen.Add(xxhash.Sum64(k.TermBytes(uint32(o))))
			}
		}
		if missing && r.v.hasMissing() {
			r.seen.Add(xxhash.Sum64String(r.v.missingText))
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
				r.seen.Add(xxhash.Sum64(point[:]))
			}
		}
	case mapping.KindDouble:
		_, keys := x.readSortable(r.v, s)
		r.addNumbers(keys)
	default:
		_, vals := x.readLongs(r.v, s)
		r.addNumbers(vals)
	}
	return nil
}

func (r *cardinalityResult) addNumbers(keys []int64) {
	for i, k := range keys {
		if i == 0 || k != keys[i-1] {
			r.seen.Add(sketch.Mix64(uint64(k)))
		}
	}
}

func (r *cardinalityResult) merge(other result) { r.seen.Merge(other.(*cardinalityResult).seen) }

func (r *cardinalityResult) number() float64      { return float64(r.seen.Count()) }
func (r *cardinalityResult) appendBody(w *writer) { w.int("value", r.seen.Count()) }
func (r *cardinalityResult) prefix() string       { return "cardinality" }
