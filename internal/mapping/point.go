package mapping

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Point reads one point in any of the forms that documents give points in; two numbers in
// an array are longitude and latitude. ok is false for anything else.
func Point(v jsonx.Value) (lat, lon float64, ok bool) {
	if v.Kind() == jsonx.Array {
		var part [3]float64
		n := 0
		for e := range v.Elements() {
			f, number := e.Float64()
			if !number || n == len(part) {
				return 0, 0, false
			}
			part[n] = f
			n++
		}
		return part[1], part[0], n >= 2
	}
	at, err := parsePoint(v, true)
	return at.lat, at.lon, err == nil
}

// ParsePoint reads a point of a request: a text (lat,lon, a geohash or WKT), an object of
// lat and lon or of GeoJSON, or an array of longitude and latitude.
func ParsePoint(v jsonx.Value) (lat, lon float64, err *eserr.Error) {
	at, err := parsePoint(v, true)
	return at.lat, at.lon, err
}

// NormalizePoint brings a place back onto the globe.
func NormalizePoint(lat, lon float64) (float64, float64) {
	at := normalize(point{lat, lon})
	return at.lat, at.lon
}
