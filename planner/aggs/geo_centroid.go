package aggs

import (
	"math"

	"postern/internal/geodesy"
)

// geoCentroid is the mean of a field's points.
type geoCentroid struct{ v *values }

type geoCentroidResult struct {
	*geoCentroid
	count    int64
	lat, lon kahan
	at       *geodesy.Point // once it has been made
}

func parseGeoCentroid(c *source) (aggregator, error) {
	a := c.a.GeoCentroid
	v, err := c.pointValues(a.Field, a.Missing)
	return &geoCentroid{v}, err
}

func (a *geoCentroid) empty(*node) result { return &geoCentroidResult{geoCentroid: a} }

func (r *geoCentroidResult) collect(x *collector, s *selection) error {
	_, points := x.readPoints(r.v, s)
	for _, p := range points {
		r.lat.add(p.Lat)
		r.lon.add(p.Lon)
	}
	r.count += int64(len(points))
	return nil
}

func (r *geoCentroidResult) merge(other result) {
	o := other.(*geoCentroidResult)
	r.count += o.count
	r.lat.merge(o.lat)
	r.lon.merge(o.lon)
}

// mean is the centre; there is none without points.
func (r *geoCentroidResult) mean() *geodesy.Point {
	if n := float64(r.count); n > 0 && r.at == nil {
		r.at = &geodesy.Point{Lat: r.lat.sum / n, Lon: r.lon.sum / n}
	}
	return r.at
}

func (r *geoCentroidResult) appendBody(w *writer) {
	if at := r.mean(); at != nil {
		w.point("location", *at)
	}
	w.int("count", r.count)
}

func (r *geoCentroidResult) prefix() string { return "geo_centroid" }

func (r *geoCentroidResult) coordinate(name string) (float64, bool) {
	at := r.mean()
	switch {
	case name == "count":
		return float64(r.count), true
	case name != "lat" && name != "lon":
		return 0, false
	case at == nil:
		return math.NaN(), true
	case name == "lat":
		return at.Lat, true
	}
	return at.Lon, true
}
