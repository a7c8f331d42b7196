package query

import (
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/geodesy"
	"postern/internal/segment"
)

// points matches the documents with a point in an area.
type points struct {
	field string
	area  area
}

// area is a part of the globe.
type area interface {
	has(geodesy.Point) bool
	appendKey(dst []byte) []byte
}

func (n *points) AppendKey(dst []byte) []byte {
	dst = append(appendQuoted(append(dst, "points("...), n.field), ',')
	return append(n.area.appendKey(dst), ')')
}

func (n *points) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	g := s.Geo(n.field)
	if g == nil {
		return nothing, nil
	}
	var docs []uint32
	for doc := range uint32(s.Len()) {
		lat, lon := g.Points(doc)
		for i := range lat {
			if n.area.has(geodesy.Point{Lat: lat[i], Lon: lon[i]}) {
				docs = append(docs, doc)
				break
			}
		}
	}
	return roaring.BitmapOf(docs...), nil
}

func (n *points) scorer(_ *Exec, boost float32) (scorer, error) { return constScorer{n, boost}, nil }

func (n *points) push(bool) Pushed { return never("a place") }

func (n *points) reads(r *Reading) { r.Field(n.field) }

// circle is what lies at most so many metres from a point.
type circle struct {
	center geodesy.Point
	radius float64
}

func (a circle) has(p geodesy.Point) bool { return geodesy.Arc(a.center, p) <= a.radius }

func (a circle) appendKey(dst []byte) []byte {
	return appendDoubles(append(dst, "circle"...), a.center.Lat, a.center.Lon, a.radius)
}

// box lies between parallels and meridians; with Left > Right it crosses the antimeridian.
type box struct{ geodesy.Box }

func (a box) has(p geodesy.Point) bool {
	if p.Lat < a.Bottom || p.Lat > a.Top {
		return false
	}
	if a.Left > a.Right {
		return p.Lon >= a.Left || p.Lon <= a.Right
	}
	return p.Lon >= a.Left && p.Lon <= a.Right
}

func (a box) appendKey(dst []byte) []byte {
	return appendDoubles(append(dst, "box"...), a.Top, a.Left, a.Bottom, a.Right)
}

func appendDoubles(dst []byte, list ...float64) []byte {
	for _, v := range list {
		dst = strconv.AppendFloat(append(dst, ' '), v, 'g', -1, 64)
	}
	return dst
}
