package geodesy

import "math"

// MaxZoom is that of the smallest tiles.
const MaxZoom = 29

// Tile is the map tile of a point: the column above its 29 bits of row.
func Tile(p Point, zoom int) uint64 {
	tiles := math.Ldexp(1, zoom)
	x := math.Floor((p.Lon + 180) / 360 * tiles)
	sin := math.Sin(radians(p.Lat))
	y := math.Floor((0.5 - math.Log((1+sin)/(1-sin))/(4*math.Pi)) * tiles)
	return uint64(clamp(x, tiles))<<MaxZoom | uint64(clamp(y, tiles))
}

func clamp(v, tiles float64) float64 { return math.Min(math.Max(v, 0), tiles-1) }

// TileXY are the column and the row of a tile.
func TileXY(tile uint64) (x, y uint64) { return tile >> MaxZoom, tile & (1<<MaxZoom - 1) }

// TileBox is the area of a tile.
func TileBox(tile uint64, zoom int) Box {
	x, y := TileXY(tile)
	tiles := math.Ldexp(1, zoom)
	lat := func(row float64) float64 {
		n := math.Pi - 2*math.Pi*row/tiles
		return math.Atan(math.Sinh(n)) / math.Pi * 180
	}
	return Box{Top: lat(float64(y)), Bottom: lat(float64(y + 1)), Left: float64(x)/tiles*360 - 180, Right: float64(x+1)/tiles*360 - 180}
}
