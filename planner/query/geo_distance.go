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

func parseGeoDistance(c *Context, q *gen.QueryContainer) (Node, error) {
	g := q.GeoDistance
	radius, err := radiusOf(g)
	if err != nil {
		return nil, &RequestError{err}
	}
	center, err := centerOf(g.Field.Key, g.Field.Value)
	if err != nil {
		return nil, &RequestError{err}
	}
	f, err := c.geoField("geo_distance", g.Field.Key, g.IgnoreUnmapped)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return c.finish(matchNone{}, g.Boost, g.Name)
	}
	switch g.ValidationMethod {
	case gen.GeoValidationMethodCoerce:
		center.Lat, center.Lon = mapping.NormalizePoint(center.Lat, center.Lon)
	case gen.GeoValidationMethodIgnoreMalformed:
	default:
		if err := c.onGlobe("geo_distance", coordinate{"center point latitude", center.Lat, 90}, coordinate{"center point longitude", center.Lon, 180}); err != nil {
			return nil, err
		}
	}
	return c.finish(&points{f.Name, circle{center, radius}}, g.Boost, g.Name)
}

// radiusOf is the distance in metres.
func radiusOf(g *gen.GeoDistanceQuery) (float64, *eserr.Error) {
	unit := 1.0
	if g.Unit != 0 {
		unit, _ = geodesy.Metres(g.Unit.String())
	}
	text := g.Distance.Text()
	if text == "" {
		return 0, eserr.IllegalArgument("distance must not be null or empty")
	}
	metres, err := geodesy.ParseDistanceIn(text, unit)
	if err != nil {
		return 0, asError(err)
	}
	if metres <= 0 {
		return 0, eserr.IllegalArgument("distance must be greater than zero")
	}
	return metres, nil
}

// centerOf reads the middle of a circle. What an object or an array leaves out is no
// number, which the validation finds.
func centerOf(field string, v jsonx.Value) (geodesy.Point, *eserr.Error) {
	p := geodesy.Point{Lat: math.NaN(), Lon: math.NaN()}
	switch v.Kind() {
	case jsonx.Array:
		into := []*float64{&p.Lon, &p.Lat}
		for e := range v.Elements() {
			x, ok := e.Float64()
			if !ok {
				return p, eserr.ParseError("numeric value expected")
			}
			if len(into) > 0 {
				*into[0], into = x, into[1:]
			}
		}
		return p, nil
	case jsonx.Object:
		for k, m := range v.Members() {
			line, col := m.Pos()
			var err *eserr.Error
			switch k.Text() {
			case "lat":
				p.Lat, err = doubleOf(m)
			case "lon":
				p.Lon, err = doubleOf(m)
			case "geohash":
				p.Lat, p.Lon, err = mapping.ParsePoint(m)
			default:
				return p, eserr.Parsing(line, col, "[geo_distance] query does not support [%s]", field)
			}
			if err != nil {
				return p, err
			}
		}
		return p, nil
	}
	lat, lon, err := mapping.ParsePoint(v)
	return geodesy.Point{Lat: lat, Lon: lon}, err
}

func doubleOf(v jsonx.Value) (float64, *eserr.Error) {
	x, err := strconv.ParseFloat(v.Text(), 64)
	if err != nil {
		return 0, eserr.NumberFormat("For input string: \"" + v.Text() + "\"")
	}
	return x, nil
}

// geoField is the field of points that a clause is about; nil when it may be unmapped.
func (c *Context) geoField(clause, name string, ignoreUnmapped *bool) (*mapping.Field, *eserr.Error) {
	f := c.field(name)
	switch {
	case f == nil && ignoreUnmapped != nil && *ignoreUnmapped:
		return nil, nil
	case f == nil:
		return nil, c.fail("failed to find geo field [%s]", name)
	case f.Kind != mapping.KindGeoPoint:
		return nil, c.fail("Field [%s] is of unsupported type [%s] for [%s] query", name, f.Type, clause)
	}
	if err := searchable(f); err != nil {
		return nil, err
	}
	return f, nil
}

// coordinate is a number with its name, which has to lie in [-limit, limit].
type coordinate struct {
	name         string
	value, limit float64
}

// onGlobe refuses coordinates beyond the globe, all at once.
func (c *Context) onGlobe(clause string, list ...coordinate) error {
	var wrong strings.Builder
	n := 0
	for _, x := range list {
		if !(math.Abs(x.value) <= x.limit) {
			n++
			wrong.WriteString(strconv.Itoa(n) + ": [" + clause + "] " + x.name + " is invalid: " + doubleText(x.value) + ";")
		}
	}
	if n == 0 {
		return nil
	}
	cause := &eserr.Error{Status: 400, Type: "query_validation_exception", Reason: "Validation Failed: " + wrong.String()}
	return c.fail("couldn't validate latitude/ longitude values").Cause(cause)
}

// doubleText is a number as Java shows it.
func doubleText(v float64) string { return strings.Trim(string(jsonx.AppendFloat(nil, v)), `"`) }
