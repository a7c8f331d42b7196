// Package geodesy holds what Lucene and Elasticsearch do with places on the earth: how
// points are rounded, distances, geohash cells and map tiles.
package geodesy

import "math"

// Point is a place in degrees.
type Point struct{ Lat, Lon float64 }

const (
	latStep = 180.0 / (1 << 32)
	lonStep = 360.0 / (1 << 32)
)

// Rounded is the point as an index keeps it: 32 bits for each coordinate, as Lucene's
// GeoEncodingUtils has them.
func Rounded(lat, lon float64) Point {
	return Point{float64(latBits(lat)) * latStep, float64(lonBits(lon)) * lonStep}
}

func latBits(lat float64) int32 {
	if lat >= 90 {
		lat = math.Nextafter(90, 0)
	}
	return int32(math.Floor(lat / latStep))
}

func lonBits(lon float64) int32 {
	if lon >= 180 {
		lon = math.Nextafter(180, 0)
	}
	return int32(math.Floor(lon / lonStep))
}

// Box is an area between parallels and meridians; with Left > Right it crosses the
// antimeridian.
type Box struct{ Top, Left, Bottom, Right float64 }

// Touches tells whether two boxes have more than an edge in common; the other one must
// not cross the antimeridian.
func (b Box) Touches(o Box) bool {
	if b.Top <= o.Bottom || b.Bottom >= o.Top {
		return false
	}
	if b.Left > b.Right {
		return b.Left < o.Right || b.Right > o.Left
	}
	return b.Left < o.Right && b.Right > o.Left
}
