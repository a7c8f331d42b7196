package aggs

import (
	"math"

	gen "postern/generated/aggs"
	queries "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/geodesy"
)

// geoDistance is the ranges of the distance between a field's points and an origin.
type geoDistance struct {
	*ranges
	origin  geodesy.Point
	metres  float64 // of the unit
	between func(a, b geodesy.Point) float64
}

type geoDistanceResult struct {
	*rangesResult
	*geoDistance
}

func parseGeoDistance(c *source) (aggregator, error) {
	a := c.a.GeoDistance
	v, err := c.pointValues(a.Field, a.Missing)
	if err != nil {
		return nil, err
	}
	out := &geoDistance{ranges: &ranges{typ: "geo_distance", v: v, keyed: a.Keyed != nil && *a.Keyed}, metres: 1, between: geodesy.Arc}
	if out.origin, err = pointOf(a.Origin); err != nil {
		return nil, err
	}
	if a.Unit != 0 {
		out.metres, _ = geodesy.Metres(a.Unit.String())
	}
	if a.DistanceType == queries.GeoDistanceTypePlane {
		out.between = geodesy.Plane
	}
	for i := range a.Ranges {
		x := &a.Ranges[i]
		one, err := numberRange(v, c, x)
		if err != nil {
			return nil, err
		}
		if one.from == 0 {
			one.from = math.Inf(-1) // the key shows an open side
		}
		out.add(one, x.Key)
		if last := &out.bounds[len(out.bounds)-1]; math.IsInf(last.from, -1) {
			last.from = 0
		}
	}
	return out, out.finish(c)
}

func (a *geoDistance) empty(n *node) result {
	return &geoDistanceResult{a.ranges.empty(n).(*rangesResult), a}
}

func (r *geoDistanceResult) collect(x *collector, s *selection) error {
	docs, points := x.readPoints(r.rangesResult.v, s)
	x.doubles = x.doubles[:0]
	for _, p := range points {
		x.doubles = append(x.doubles, r.between(r.origin, p)/r.metres)
	}
	return r.collectValues(x, s, docs, x.doubles)
}

func (r *geoDistanceResult) merge(other result) {
	r.rangesResult.merge(other.(*geoDistanceResult).rangesResult)
}

func (r *geoDistanceResult) appendBody(w *writer) { r.rangesResult.appendBody(w) }
func (r *geoDistanceResult) prefix() string       { return "geo_distance" }

// checkGeoDistance finds what is wrong with a request whatever the index.
func checkGeoDistance(name string, a *gen.GeoDistanceAggregation) error {
	if !a.Origin.Exists() {
		return eserr.IllegalArgument("Aggregation [%s] must define an [origin].", name)
	}
	_, err := pointOf(a.Origin)
	return err
}
