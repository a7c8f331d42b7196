package geodesy

import (
	"math"
	"testing"
)

// The cells are those that Elasticsearch 8.15.0 answered for these points.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		lat, lon   float64
		hash, tile string
		x, y       uint64
	}{
		{52.37, 4.89, "u173zm8v37", "7", 65, 42},
		{-33.86, 151.21, "r3gx2ggz0q", "7", 117, 76},
		{-18.2, -179.9, "2hb06qbc64", "7", 0, 70},
		{-17.7, 179.5, "ruzek9gfj0", "7", 127, 70},
	} {
		p := Rounded(c.lat, c.lon)
		for digits := 1; digits <= len(c.hash); digits++ {
			h := Hash(p, digits)
			if got := HashText(h, digits); got != c.hash[:digits] {
				t.Errorf("geohash of %v: %s, want %s", p, got, c.hash[:digits])
			}
			b := HashBox(h, digits)
			if p.Lat < b.Bottom || p.Lat > b.Top || p.Lon < b.Left || p.Lon > b.Right {
				t.Errorf("%v is not in the box %v of its geohash", p, b)
			}
		}
		tile := Tile(p, 7)
		if x, y := TileXY(tile); x != c.x || y != c.y {
			t.Errorf("tile of %v: %d/%d, want %d/%d", p, x, y, c.x, c.y)
		}
		if b := TileBox(tile, 7); p.Lat < b.Bottom || p.Lat > b.Top || p.Lon < b.Left || p.Lon > b.Right {
			t.Errorf("%v is not in the box %v of its tile", p, b)
		}
	}
}

func TestRoundedAtTheEdges(t *testing.T) {
	for _, p := range []Point{{90, 180}, {-90, -180}, {0, 0}} {
		r := Rounded(p.Lat, p.Lon)
		if math.Abs(r.Lat-p.Lat) > latStep || math.Abs(r.Lon-p.Lon) > lonStep {
			t.Errorf("%v is rounded to %v", p, r)
		}
	}
}

func TestDistances(t *testing.T) {
	amsterdam, paris := Point{52.37, 4.89}, Point{48.86, 2.35}
	if d := Arc(amsterdam, paris); math.Abs(d-430_000) > 3000 {
		t.Errorf("Amsterdam to Paris: %v m", d)
	}
	if d := Arc(Point{0, 0}, Point{0, 180}); math.Abs(d-math.Pi*EarthRadius) > 1 {
		t.Errorf("half around the equator: %v m", d)
	}
	if a, p := Arc(amsterdam, paris), Plane(amsterdam, paris); math.Abs(a-p) > a/100 {
		t.Errorf("on the plane %v m, along the arc %v m", p, a)
	}
}

func TestHashFor(t *testing.T) {
	for text, want := range map[string]int{"1km": 7, "10m": 9, "5m": 10, "500km": 3, "5000km": 2, "50000km": 1, "2mi": 6, "100km": 4, "1mm": 15} {
		metres, err := ParseDistance(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := HashFor(metres); got != want {
			t.Errorf("%s: %d digits, want %d", text, got, want)
		}
	}
}

func FuzzParseDistance(f *testing.F) {
	for _, s := range []string{"5km", "1", "3.5mi", "x", "km", "1e3nmi", "NaNm", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if metres, err := ParseDistance(text); err == nil && metres > 0 && !math.IsInf(metres, 0) {
			HashFor(metres)
		}
	})
}
