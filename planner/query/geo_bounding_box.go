package query

import (
	"math"
	"strconv"
	"strings"

	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/geodesy"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

func parseGeoBoundingBox(c *Context, q *gen.QueryContainer) (Node, error) {
	g := q.GeoBoundingBox
	if v := g.Field.Value; v.Kind() == jsonx.Array {
		for e := range v.Elements() {
			v = e
			break
		}
		line, col := v.Pos()
		return nil, &RequestError{eserr.Parsing(line, col, "failed to parse [geo_bounding_box] query. unexpected field [%s]", g.Field.Key)}
	}
	b, err := boundsOf(g.Field.Value)
	if err != nil {
		return nil, &RequestError{eserr.ParseError("failed to parse [geo_bounding_box] query. [%s]", err.Reason)}
	}
	strict := g.ValidationMethod != gen.GeoValidationMethodCoerce && g.ValidationMethod != gen.GeoValidationMethodIgnoreMalformed
	sides := []coordinate{{"top latitude", b.Top, 90}, {"left longitude", b.Left, 180}, {"bottom latitude", b.Bottom, 90}, {"right longitude", b.Right, 180}}
	if strict {
		for _, s := range sides {
			if math.IsNaN(s.value) || math.IsInf(s.value, 0) {
				return nil, &RequestError{eserr.IllegalArgument("%s is invalid: %s", s.name, doubleText(s.value))}
			}
		}
		if b.Top < b.Bottom {
			return nil, &RequestError{eserr.IllegalArgument("top is below bottom corner: %s vs. %s", doubleText(b.Top), doubleText(b.Bottom))}
		}
	}
	f, err := c.geoField("geo_bounding_box", g.Field.Key, g.IgnoreUnmapped)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return c.finish(matchNone{}, g.Boost, g.Name)
	}
	if strict {
		if err := c.onGlobe("geo_bounding_box", sides...); err != nil {
			return nil, err
		}
	}
	if g.ValidationMethod == gen.GeoValidationMethodCoerce {
		b = coerced(b)
	}
	return c.finish(&points{f.Name, box{asKept(b)}}, g.Boost, g.Name)
}

// asKept rounds the southern and the western side down, as the points of an index are.
// The meridian of 180 degrees east begins a box that crosses it.
func asKept(b geodesy.Box) geodesy.Box {
	corner := geodesy.Rounded(b.Bottom, b.Left)
	if b.Left == 180 && b.Right < 180 {
		corner.Lon = -180
	}
	if b.Bottom == 90 {
		corner.Lat = 90 // no point is kept there
	}
	b.Bottom, b.Left = corner.Lat, corner.Lon
	return b
}

// coerced brings a box back onto the globe; one that goes all the way around keeps all
// longitudes.
func coerced(b geodesy.Box) geodesy.Box {
	around := math.Mod(b.Right-b.Left, 360) == 0 && b.Right > b.Left
	left, right := b.Left, b.Right
	b.Top, b.Left = mapping.NormalizePoint(b.Top, left)
	b.Bottom, b.Right = mapping.NormalizePoint(b.Bottom, right)
	if around {
		b.Left, b.Right = -180, 180
	}
	return b
}

// boundsOf reads a box: WKT, four sides or two opposite corners. What is not said is no
// number.
func boundsOf(v jsonx.Value) (geodesy.Box, *eserr.Error) {
	nan := math.NaN()
	b := geodesy.Box{Top: nan, Left: nan, Bottom: nan, Right: nan}
	bad := func(format string, a ...any) (geodesy.Box, *eserr.Error) { return b, eserr.ParseError(format, a...) }
	for k, m := range v.Members() {
		var err *eserr.Error
		switch name := k.Text(); name {
		case "wkt":
			return envelope(m.Text())
		case "top":
			b.Top, err = doubleOf(m)
		case "bottom":
			b.Bottom, err = doubleOf(m)
		case "left":
			b.Left, err = doubleOf(m)
		case "right":
			b.Right, err = doubleOf(m)
		case "top_left", "topLeft":
			b.Top, b.Left, err = corner(m, true, false)
		case "bottom_right", "bottomRight":
			b.Bottom, b.Right, err = corner(m, false, true)
		case "top_right", "topRight":
			b.Top, b.Right, err = corner(m, true, true)
		case "bottom_left", "bottomLeft":
			b.Bottom, b.Left, err = corner(m, false, false)
		default:
			return bad("failed to parse bounding box. unexpected field [%s]", name)
		}
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// corner reads a point; that of a geohash is the corner of its cell.
func corner(v jsonx.Value, top, right bool) (lat, lon float64, err *eserr.Error) {
	lat, lon, err = mapping.ParsePoint(v)
	if err != nil || v.Kind() != jsonx.String {
		return lat, lon, err
	}
	text := v.Text()
	if strings.Contains(text, ",") || strings.HasPrefix(strings.ToLower(text), "point") {
		return lat, lon, nil
	}
	bits := 5 * min(len(text), geodesy.MaxHash)
	if top {
		lat += math.Ldexp(180, -bits/2)
	}
	if right {
		lon += math.Ldexp(360, -(bits+1)/2)
	}
	return lat, lon, nil
}

// envelope reads BBOX (left, right, top, bottom).
func envelope(text string) (geodesy.Box, *eserr.Error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(text), "(")
	kind = strings.ToUpper(strings.TrimSpace(kind))
	if kind != "BBOX" && kind != "ENVELOPE" {
		return geodesy.Box{}, eserr.ParseError("failed to parse WKT bounding box. [%s] found. expected [ENVELOPE]", kind)
	}
	inside, ok := strings.CutSuffix(strings.TrimSpace(rest), ")")
	parts := strings.Split(inside, ",")
	var side [4]float64
	for i := range side {
		if !ok || len(parts) != 4 {
			return geodesy.Box{}, eserr.ParseError("failed to parse WKT bounding box")
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		if err != nil {
			return geodesy.Box{}, eserr.ParseError("failed to parse WKT bounding box")
		}
		side[i] = x
	}
	return geodesy.Box{Left: side[0], Right: side[1], Top: side[2], Bottom: side[3]}, nil
}
