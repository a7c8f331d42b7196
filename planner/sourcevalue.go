package planner

import (
	"math"
	"net/netip"
	"strconv"
	"time"
	"unicode/utf16"

	"postern/internal/datemath"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/planner/query"
)

// appendValue appends a value of the source as the field's type shows it; what the
// field would not index is left out.
func (s *sourceField) appendValue(dst []byte, v jsonx.Value) []byte {
	f := s.field
	if v.Kind() == jsonx.Null {
		if v = f.NullValue; !v.Exists() {
			return dst
		}
	}
	if f.Type == "geo_point" {
		return appendItem(dst, func(dst []byte) []byte { return appendGeoJSON(dst, v) })
	}
	if v.Kind() == jsonx.Object {
		return dst
	}
	return appendItem(dst, func(dst []byte) []byte {
		switch f.Type {
		case "boolean":
			return appendBoolean(dst, v)
		case "date", "date_nanos":
			return s.appendDate(dst, v)
		case "ip":
			return appendAddress(dst, v)
		}
		switch f.Type {
		case "long", "integer", "short", "byte":
			return appendWhole(dst, v)
		case "double", "float", "half_float", "scaled_float":
			return appendFloating(dst, f, v)
		}
		text := v.Text()
		if f.IgnoreAbove > 0 && len(utf16.Encode([]rune(text))) > f.IgnoreAbove {
			return dst
		}
		return jsonx.AppendString(dst, f.Normalize(text))
	})
}

func appendBoolean(dst []byte, v jsonx.Value) []byte {
	switch v.Text() {
	case "true":
		return append(dst, "true"...)
	case "false", "":
		return append(dst, "false"...)
	}
	return dst
}

func (s *sourceField) appendDate(dst []byte, v jsonx.Value) []byte {
	at, err := s.field.Format.Parse(v.Text(), time.UTC)
	if err != nil {
		return dst
	}
	if s.field.Type == "date" { // which keeps no more than milliseconds
		at = datemath.FromMillis(at.Millis())
	}
	dst = append(dst, '"')
	dst = s.format.AppendFormat(dst, at, time.UTC)
	return append(dst, '"')
}

func appendAddress(dst []byte, v jsonx.Value) []byte {
	a, err := netip.ParseAddr(v.Text())
	if err != nil {
		return dst
	}
	return jsonx.AppendString(dst, a.Unmap().String())
}

func appendWhole(dst []byte, v jsonx.Value) []byte {
	text := v.Text()
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.AppendInt(dst, i, 10)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return dst
	}
	return strconv.AppendInt(dst, javaLong(f), 10)
}

func appendFloating(dst []byte, f *mapping.Field, v jsonx.Value) []byte {
	d, err := strconv.ParseFloat(v.Text(), 64)
	if err != nil {
		return dst
	}
	switch f.Type {
	case "half_float":
		return jsonx.AppendFloat32(dst, query.RoundHalf(float32(d)))
	case "scaled_float":
		d = math.Floor(d*f.ScalingFactor+0.5) / f.ScalingFactor
	}
	return appendDouble(dst, f, d)
}

// appendGeoJSON shows a point given as an object, a text or a pair as GeoJSON.
func appendGeoJSON(dst []byte, v jsonx.Value) []byte {
	lat, lon, ok := mapping.Point(v)
	if !ok {
		return dst
	}
	dst = append(dst, `{"coordinates":[`...)
	dst = jsonx.AppendFloat(dst, lon)
	dst = jsonx.AppendFloat(append(dst, ','), lat)
	return append(dst, `],"type":"Point"}`...)
}
