package query

import (
	"math"
	"testing"

	"postern/internal/geodesy"
	"postern/internal/jsonx"
)

// A box whose side runs through a point as it was written has the point, though an index
// keeps it a little to the south-west.
func TestBoxHasWhatLiesOnItsSides(t *testing.T) {
	kept := geodesy.Rounded(52.37, 4.89)
	b := box{asKept(geodesy.Box{Top: 90, Left: 4.89, Bottom: 52.37, Right: 180})}
	if !b.has(kept) {
		t.Errorf("%v is not in %v", kept, b)
	}
	if b := (box{asKept(geodesy.Box{Top: 90, Left: 0, Bottom: 52.3700001, Right: 180})}); b.has(kept) {
		t.Errorf("%v is in %v", kept, b)
	}
}

func TestBoxAcrossTheAntimeridian(t *testing.T) {
	b := box{asKept(geodesy.Box{Top: 0, Left: 180, Bottom: -30, Right: -170})}
	for lon, want := range map[float64]bool{-179.9: true, -170: true, 179.5: false, -169: false} {
		if got := b.has(geodesy.Point{Lat: -18, Lon: lon}); got != want {
			t.Errorf("longitude %v: %v, want %v", lon, got, want)
		}
	}
}

func FuzzBounds(f *testing.F) {
	for _, s := range []string{`{"top":1,"left":0,"bottom":0,"right":1}`, `{"wkt":"BBOX (0,10,60,40)"}`, `{"top_left":"u1","bottom_right":"u1"}`, `{"top_right":[1,1],"bottom_left":{"lat":0}}`, `{"x":1}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := jsonx.Parse([]byte(text))
		if err != nil || v.Kind() != jsonx.Object {
			return
		}
		if b, err := boundsOf(v); err == nil {
			coerced(b)
			asKept(b)
		}
	})
}

func FuzzCenter(f *testing.F) {
	for _, s := range []string{`"1,2"`, `[1,2,3]`, `{"lat":1,"lon":2}`, `{"geohash":"u1"}`, `"POINT (1 2)"`, `[]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := jsonx.Parse([]byte(text))
		if err != nil {
			return
		}
		if p, err := centerOf("p", v); err == nil {
			circle{p, 1000}.has(geodesy.Point{Lat: 1, Lon: 2})
		}
	})
}

func TestGap(t *testing.T) {
	if got := gap(math.MinInt64, math.MaxInt64); got != math.MaxUint64 {
		t.Errorf("the widest gap is %d", got)
	}
	if got := gap(3, -4); got != 7 {
		t.Errorf("from 3 to -4: %d", got)
	}
}
