package aggs

import (
	"math"

	"postern/internal/geodesy"
)

// geoBounds is the smallest box around a field's points.
type geoBounds struct {
	v    *values
	wrap bool
}

// geoBoundsResult keeps the extremes of the eastern and of the western half apart: which
// box is the smaller one shows at the end.
type geoBoundsResult struct {
	*geoBounds
	top, bottom float64
	east, west  span
}

type span struct{ left, right float64 }

func (s *span) add(o span) { s.left, s.right = min(s.left, o.left), max(s.right, o.right) }
func (s *span) none() bool { return s.left > s.right }
func noSpan() span         { return span{math.Inf(1), math.Inf(-1)} }

func parseGeoBounds(c *source) (aggregator, error) {
	a := c.a.GeoBounds
	v, err := c.pointValues(a.Field, a.Missing)
	return &geoBounds{v, a.WrapLongitude == nil || *a.WrapLongitude}, err
}

func (a *geoBounds) empty(*node) result {
	return &geoBoundsResult{a, math.Inf(-1), math.Inf(1), noSpan(), noSpan()}
}

func (r *geoBoundsResult) collect(x *collector, s *selection) error {
	_, points := x.readPoints(r.v, s)
	for _, p := range points {
		r.top, r.bottom = max(r.top, p.Lat), min(r.bottom, p.Lat)
		if p.Lon >= 0 {
			r.east.add(span{p.Lon, p.Lon})
		} else {
			r.west.add(span{p.Lon, p.Lon})
		}
	}
	return nil
}

func (r *geoBoundsResult) merge(other result) {
	o := other.(*geoBoundsResult)
	r.top, r.bottom = max(r.top, o.top), min(r.bottom, o.bottom)
	r.east.add(o.east)
	r.west.add(o.west)
}

// box is the answer; ok is false without points.
func (r *geoBoundsResult) box() (b geodesy.Box, ok bool) {
	b = geodesy.Box{Top: r.top, Bottom: r.bottom}
	switch {
	case r.top < r.bottom:
		return b, false
	case r.east.none():
		b.Left, b.Right = r.west.left, r.west.right
	case r.west.none():
		b.Left, b.Right = r.east.left, r.east.right
	case r.wrap && r.east.right-r.west.left > (180-r.east.left)-(-180-r.west.right):
		b.Left, b.Right = r.east.left, r.west.right
	default:
		b.Left, b.Right = r.west.left, r.east.right
	}
	return b, true
}

func (r *geoBoundsResult) appendBody(w *writer) {
	b, ok := r.box()
	if !ok {
		return
	}
	w.object("bounds", func() {
		w.point("top_left", geodesy.Point{Lat: b.Top, Lon: b.Left})
		w.point("bottom_right", geodesy.Point{Lat: b.Bottom, Lon: b.Right})
	})
}

func (r *geoBoundsResult) prefix() string { return "geo_bounds" }

// point writes a point as an object.
func (w *writer) point(name string, p geodesy.Point) {
	w.object(name, func() {
		w.float("lat", p.Lat)
		w.float("lon", p.Lon)
	})
}

func (r *geoBoundsResult) coordinate(name string) (float64, bool) {
	b, ok := r.box()
	if !ok {
		b.Top, b.Bottom, b.Left, b.Right = math.Inf(-1), math.Inf(1), math.NaN(), math.NaN()
	}
	switch name {
	case "top", "bottom", "left", "right":
		return *side(&b, name), true
	}
	return 0, false
}
