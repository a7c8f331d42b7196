package aggs

import (
	"postern/internal/eserr"
	"postern/internal/geodesy"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// pointOf reads a point of a request, in any of the forms that documents have.
func pointOf(v jsonx.Value) (geodesy.Point, error) {
	lat, lon, ok := mapping.Point(v)
	if !ok {
		return geodesy.Point{}, eserr.ParseError("failed to parse geo_point [%s]", v.Text())
	}
	return geodesy.Point{Lat: lat, Lon: lon}, nil
}

// pointValues resolves a field of points.
func (c *source) pointValues(field *string, missing jsonx.Value) (*values, error) {
	return c.values(wanted{field: field, missing: missing, only: mapping.KindGeoPoint, unmapped: mapping.KindGeoPoint})
}

// readPoints gives the selected documents' points as an index keeps them, with the
// document of each, ascending.
func (x *collector) readPoints(v *values, s *selection) (docs []uint32, points []geodesy.Point) {
	x.docs, x.points = x.docs[:0], x.points[:0]
	var from func(uint32) (lat, lon []float64)
	if v.kind() == mapping.KindGeoPoint {
		if g := s.seg.Geo(v.field.Name); g != nil {
			from = g.Points
		}
	}
	for _, d := range s.docs() {
		var lat, lon []float64
		if from != nil {
			lat, lon = from(d)
		}
		for i := range lat {
			x.docs, x.points = append(x.docs, d), append(x.points, geodesy.Rounded(lat[i], lon[i]))
		}
		if len(lat) == 0 && v.hasMissing() {
			x.docs, x.points = append(x.docs, d), append(x.points, v.missingPoint)
		}
	}
	return x.docs, x.points
}
