package mapping

import (
	"math"
	"strconv"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

func geoPointType() *fieldType {
	params := []parameter{boolParam("doc_values", true), boolParam("index", true), boolParam("store", false), malformedParam(true),
		boolParam("ignore_z_value", true).updatable().printed(),
		{name: "null_value", standard: "null", nullable: true, read: readGeoNull}}
	params = append(params, scriptParams()...)
	params = append(params, metaParam(), refusedParam("time_series_dimension", "false"), refusedParam("time_series_metric"))
	return &fieldType{name: "geo_point", kind: KindGeoPoint, arrays: true, params: params, read: readGeoPoint, fill: func(c *fieldContext, f *Field) error {
		indexed(f)
		if !f.find("ignore_malformed").given {
			f.ignoreMalformed = c.options.IgnoreMalformed
		}
		f.ignoreZ = f.isOn("ignore_z_value")
		f.setNull()
		return nil
	}}
}

// point is a place as a document gives it.
type point struct{ lat, lon float64 }

func readGeoNull(_ *fieldContext, v jsonx.Value) (setting, error) {
	if v.Kind() == jsonx.Null {
		return setting{text: "null"}, nil
	}
	at, err := parsePoint(v, true)
	if err != nil {
		return setting{}, err
	}
	lat, lon := string(jsonx.AppendFloat(nil, at.lat)), string(jsonx.AppendFloat(nil, at.lon))
	return setting{text: lat + ", " + lon, json: `{"lat":` + lat + `,"lon":` + lon + `}`}, nil
}

// readGeoPoint reads one point or an array of points; two numbers in an array are one.
func readGeoPoint(p *docParser, f *Field, v jsonx.Value) error {
	if v.Kind() != jsonx.Array {
		return p.point(f, v)
	}
	first := true
	for e := range v.Elements() {
		if first && e.Kind() == jsonx.Number {
			return p.numbersPoint(f, v)
		}
		first = false
		var err error
		switch e.Kind() {
		case jsonx.Null:
			err = p.null(f)
		default:
			err = p.point(f, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// numbersPoint is an array of longitude and latitude. Elasticsearch reads it outside of
// what ignore_malformed covers.
func (p *docParser) numbersPoint(f *Field, v jsonx.Value) error {
	var part [3]float64
	n := 0
	for e := range v.Elements() {
		if n == 3 {
			return p.failGeo(f, e, geoParse("geo_point expected"))
		}
		switch e.Kind() {
		case jsonx.Number:
			part[n], _ = e.Float64()
		case jsonx.String:
			x, err := parseJavaDouble(e.Text())
			if err != nil || n == 2 {
				return p.general(e, geoParse("field type does not accept > 3 dimensions"))
			}
			part[n] = x
		case jsonx.Null:
			return p.failGeo(f, e, geoParse("geo_point expected"))
		default:
			return p.general(e, f.notNumeric(e))
		}
		if n == 2 && !f.ignoreZ {
			return p.general(e, zValue(part[2]))
		}
		n++
	}
	if n < 2 {
		line, col := v.EndPos()
		return p.generalAt(line, col, jacksonAtEnd(v, "Current token (END_ARRAY) not numeric, can not use numeric value accessors"))
	}
	at, err := f.checkPoint(point{part[1], part[0]})
	if err != nil {
		line, col := v.EndPos()
		return p.generalAt(line, col, err)
	}
	p.addPoint(f, at)
	return nil
}

func (p *docParser) point(f *Field, v jsonx.Value) error {
	var err *eserr.Error
	var at point
	if v.Kind() == jsonx.Array {
		return p.numbersPoint(f, v)
	}
	if at, err = parsePoint(v, f.ignoreZ); err == nil {
		at, err = f.checkPoint(at)
	}
	if err != nil {
		if f.ignoreMalformed {
			p.ignore(f)
			return nil
		}
		return p.failGeo(f, v, err)
	}
	p.addPoint(f, at)
	return nil
}

func (p *docParser) addPoint(f *Field, at point) {
	if f.Index || f.DocValues || f.Store {
		p.add(Value{Field: f, F: quantize(at.lat, 90), I: int64(math.Float64bits(quantize(at.lon, 180)))})
	}
}

// quantize is a coordinate as Lucene keeps it, in 32 bits of the range.
func quantize(x, limit float64) float64 {
	step := 2 * limit / (1 << 32)
	if x == limit {
		x = math.Nextafter(x, 0)
	}
	return math.Floor(x/step) * step
}

// checkPoint refuses what is not on the globe; ignore_malformed wraps it around.
func (f *Field) checkPoint(at point) (point, *eserr.Error) {
	if math.IsNaN(at.lat) || math.IsNaN(at.lon) {
		if math.IsNaN(at.lat) {
			return at, eserr.IllegalArgument("invalid latitude NaN; must be between -90.0 and 90.0")
		}
		return at, eserr.IllegalArgument("invalid longitude NaN; must be between -180.0 and 180.0")
	}
	if f.ignoreMalformed {
		if math.IsInf(at.lat, 0) || math.IsInf(at.lon, 0) {
			return at, eserr.IllegalArgument("illegal latitude value [%s] for %s", appendDouble(nil, at.lat), f.Name)
		}
		return normalize(at), nil
	}
	if at.lat > 90 || at.lat < -90 {
		return at, eserr.IllegalArgument("illegal latitude value [%s] for %s", appendDouble(nil, at.lat), f.Name)
	}
	if at.lon > 180 || at.lon < -180 {
		return at, eserr.IllegalArgument("illegal longitude value [%s] for %s", appendDouble(nil, at.lon), f.Name)
	}
	return at, nil
}

// normalize brings a place back onto the globe, as Elasticsearch's GeoUtils does.
func normalize(at point) point {
	if at.lat > 90 || at.lat < -90 {
		at.lat = centeredModulus(at.lat, 360)
		switch {
		case at.lat < -90:
			at.lat, at.lon = -180-at.lat, at.lon+180
		case at.lat > 90:
			at.lat, at.lon = 180-at.lat, at.lon+180
		}
	}
	if at.lon > 180 || at.lon <= -180 {
		at.lon = centeredModulus(at.lon, 360)
	}
	return point{at.lat + 0, at.lon + 0}
}

func centeredModulus(x, divisor float64) float64 {
	r := math.Mod(x, divisor)
	if r <= 0 {
		r += divisor
	}
	if r > divisor/2 {
		r -= divisor
	}
	return r
}

func geoParse(format string, a ...any) *eserr.Error { return eserr.ParseError(format, a...) }

func zValue(z float64) *eserr.Error {
	return geoParse("Exception parsing coordinates: found Z value [%s] but [ignore_z_value] parameter is [false]", appendDouble(nil, z))
}

// parsePoint reads a text (lat,lon, a geohash or WKT), an object of lat and lon or of
// GeoJSON, or an array of longitude and latitude.
func parsePoint(v jsonx.Value, ignoreZ bool) (point, *eserr.Error) {
	switch v.Kind() {
	case jsonx.String:
		return pointText(v.Text(), ignoreZ)
	case jsonx.Object:
		return pointObject(v, ignoreZ)
	case jsonx.Array:
		var part []float64
		for e := range v.Elements() {
			x, ok := e.Float64()
			if !ok {
				return point{}, geoParse("numeric value expected")
			}
			part = append(part, x)
		}
		switch {
		case len(part) == 3 && !ignoreZ:
			return point{}, zValue(part[2])
		case len(part) == 2 || len(part) == 3:
			return point{part[1], part[0]}, nil
		}
		return point{}, geoParse("[geo_point] field type does not accept %d values", len(part))
	}
	return point{}, geoParse("geo_point expected")
}

func pointText(text string, ignoreZ bool) (point, *eserr.Error) {
	if strings.HasPrefix(strings.ToLower(text), "point") {
		return pointWKT(text, ignoreZ)
	}
	if !strings.Contains(text, ",") {
		return geohash(text)
	}
	part := strings.Split(text, ",")
	if len(part) > 3 {
		return point{}, geoParse("failed to parse [%s], expected 2 or 3 coordinates but found: [%d]", text, len(part))
	}
	lat, err := parseJavaDouble(part[0])
	if err != nil {
		return point{}, geoParse("latitude must be a number")
	}
	lon, err := parseJavaDouble(part[1])
	if err != nil {
		return point{}, geoParse("longitude must be a number")
	}
	if len(part) == 3 {
		z, err := parseJavaDouble(part[2])
		if err != nil {
			return point{}, err
		}
		if !ignoreZ {
			return point{}, zValue(z)
		}
	}
	return point{lat, lon}, nil
}

func pointWKT(text string, ignoreZ bool) (point, *eserr.Error) {
	bad := func(format string, a ...any) (point, *eserr.Error) {
		return point{}, geoParse("Invalid WKT format").Cause(geoParse(format, a...))
	}
	rest := strings.TrimLeft(text[5:], " \t\r\n")
	if !strings.HasPrefix(rest, "(") {
		if strings.EqualFold(rest, "empty") {
			return bad("expected ( but found: EMPTY")
		}
		return bad("expected ( but found: %s", firstWord(rest))
	}
	words := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(rest[1:], ")", " ) "), ",", " , "))
	var part []float64
	for len(words) > 0 && words[0] != ")" {
		x, err := strconv.ParseFloat(words[0], 64)
		if err != nil {
			return bad("invalid number found: %s", words[0])
		}
		part = append(part, x)
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		return bad("expected word but found: END-OF-STREAM")
	case len(part) < 2:
		return bad("expected number but found: ')'")
	case len(words) > 1:
		return bad("expected end of WKT string but found additional text: %s", words[1])
	case len(part) == 3 && !ignoreZ:
		return point{}, zValue(part[2])
	case len(part) > 3:
		return bad("expected ')' but found: %v", part[3])
	}
	return point{part[1], part[0]}, nil
}

func firstWord(s string) string {
	if w := strings.Fields(s); len(w) > 0 {
		return w[0]
	}
	return "END-OF-STREAM"
}

func geohash(text string) (point, *eserr.Error) {
	bad := func(format string, a ...any) (point, *eserr.Error) {
		inner := eserr.IllegalArgument(format, a...)
		return point{}, geoParse("%s", inner.Reason).Cause(inner)
	}
	if text == "" {
		return bad("empty geohash")
	}
	// The corner of the cell, which is where Elasticsearch puts the point.
	var lat, lon uint64
	even := true
	bits := 0
	for i, r := range text {
		if i == 12 {
			break
		}
		at := strings.IndexRune("0123456789bcdefghjkmnpqrstuvwxyz", r)
		if at < 0 {
			return bad("unsupported symbol [%c] in geohash [%s]", r, text)
		}
		for b := 4; b >= 0; b-- {
			bit := uint64(at>>b) & 1
			if even {
				lon = lon<<1 | bit
			} else {
				lat = lat<<1 | bit
			}
			even = !even
			bits++
		}
	}
	lonBits, latBits := (bits+1)/2, bits/2
	return point{
		lat: float64(lat)*180/float64(uint64(1)<<latBits) - 90,
		lon: float64(lon)*360/float64(uint64(1)<<lonBits) - 180,
	}, nil
}

func pointObject(v jsonx.Value, ignoreZ bool) (point, *eserr.Error) {
	var at point
	var hasLat, hasLon, hasType, hasCoordinates bool
	var coordinates jsonx.Value
	typ := ""
	number := func(word string, m jsonx.Value, into *float64) *eserr.Error {
		switch m.Kind() {
		case jsonx.Number:
			*into, _ = m.Float64()
		case jsonx.String:
			x, err := parseJavaDouble(m.Text())
			if err != nil {
				return geoParse("[%s] must be a valid double value", word).Cause(err)
			}
			*into = x
		default:
			return geoParse("%s must be a number", word)
		}
		return nil
	}
	for k, m := range v.Members() {
		var err *eserr.Error
		switch name := bytesText(k.Bytes()); name {
		case "lat":
			err, hasLat = number("latitude", m, &at.lat), true
		case "lon":
			err, hasLon = number("longitude", m, &at.lon), true
		case "z":
			var z float64
			if err = number("z", m, &z); err == nil && !ignoreZ {
				err = zValue(z)
			}
		case "type":
			typ, hasType = m.Text(), true
			if m.Kind() != jsonx.String {
				err = geoParse("[type] must be a string")
			}
		case "coordinates":
			coordinates, hasCoordinates = m, true
			if m.Kind() != jsonx.Array {
				err = geoParse("[coordinates] must be an array")
			}
		default:
			err = geoParse("field [%s] not supported - must be one of: lon, lat, z, type, coordinates", name)
		}
		if err != nil {
			return at, err
		}
	}
	switch {
	case hasLat && !hasLon:
		return at, geoParse("Required [lon]")
	case hasLon && !hasLat:
		return at, geoParse("Required [lat]")
	case hasLat && (hasType || hasCoordinates):
		return at, geoParse("field must be either lat/lon or type/coordinates")
	case hasLat:
		return at, nil
	case hasCoordinates && !hasType:
		return at, geoParse("Required [type]")
	case hasType && !hasCoordinates:
		return at, geoParse("Required [coordinates]")
	case !hasType:
		return at, geoParse("field must be either lat/lon, geohash string or type/coordinates")
	case !strings.EqualFold(typ, "point"):
		return at, geoParse("[type] for geo_point can only be 'Point'")
	}
	if n := coordinates.Len(); n < 2 {
		return at, geoParse("[coordinates] must contain at least 2 values")
	}
	return parsePoint(coordinates, ignoreZ)
}
