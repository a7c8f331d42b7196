package geodesy

import "math"

// EarthRadius is the mean radius in metres.
const EarthRadius = 6_371_008.7714

func radians(degrees float64) float64 { return degrees / 180 * math.Pi }

// Arc is the length in metres of the great circle between two points, by the haversine
// formula as Lucene's SloppyMath has it.
func Arc(a, b Point) float64 {
	x, y := radians(a.Lat), radians(b.Lat)
	h := 1 - math.Cos(x-y) + math.Cos(x)*math.Cos(y)*(1-math.Cos(radians(a.Lon-b.Lon)))
	// Lucene drops the last three bits, so that rounding makes no ties.
	h = math.Float64frombits(math.Float64bits(h) &^ 7)
	return EarthRadius * 2 * math.Asin(math.Min(1, math.Sqrt(h*0.5)))
}

// Plane is the distance in metres on a flat earth.
func Plane(a, b Point) float64 {
	x := radians(b.Lon-a.Lon) * math.Cos(radians((b.Lat+a.Lat)/2))
	y := radians(b.Lat - a.Lat)
	return math.Sqrt(x*x+y*y) * EarthRadius
}
