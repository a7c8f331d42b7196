package aggs

import (
	"math"
	"net/netip"
	"strconv"
	"time"

	"postern/internal/datemath"
	"postern/internal/decimalformat"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// format is how an aggregation writes values as text.
type format struct {
	dates   *datemath.Format
	zone    *time.Location
	boolean bool
	decimal *decimalformat.Format
}

func formatOf(f *mapping.Field, pattern, zone *string) (format, error) {
	out := format{zone: time.UTC}
	if zone != nil {
		z, err := datemath.Zone(*zone)
		if err != nil {
			return out, err
		}
		out.zone = z
	}
	switch {
	case f.Type == "date" || f.Type == "date_nanos":
		out.dates = f.Format
		if pattern != nil {
			p, err := datemath.ParseFormat(*pattern)
			if err != nil {
				return out, err
			}
			out.dates = p
		}
		return out, nil
	case f.Type == "boolean":
		out.boolean = true
	case pattern != nil && !isMeta(f) && (f.Kind == mapping.KindLong || f.Kind == mapping.KindDouble):
		p, err := decimalformat.Parse(*pattern)
		if err != nil {
			return out, eserr.IllegalArgument("%s", err.Error())
		}
		out.decimal = p
		return out, nil
	}
	if pattern != nil {
		return out, eserr.IllegalArgument("Field [%s] of type [%s] does not support custom formats", f.Name, f.Type)
	}
	return out, nil
}

// shown reports whether values are written as text beside their number.
func (f *format) shown() bool { return f.dates != nil || f.boolean || f.decimal != nil }

func (f *format) long(v int64) string {
	switch {
	case f.dates != nil:
		return string(f.dates.AppendFormat(nil, datemath.FromMillis(v), f.zone))
	case f.boolean:
		return strconv.FormatBool(v != 0)
	case f.decimal != nil:
		return string(f.decimal.AppendLong(nil, v))
	}
	return strconv.FormatInt(v, 10)
}

func (f *format) double(v float64) string {
	switch {
	case f.boolean:
		return strconv.FormatBool(v != 0)
	case f.dates != nil:
		return f.long(javaLong(v))
	case f.decimal != nil:
		return string(f.decimal.AppendDouble(nil, v))
	}
	return string(jsonx.AppendFloat(nil, v))
}

// ipText is the text of an address of 16 bytes.
func ipText(b []byte) string {
	a, ok := netip.AddrFromSlice(b)
	if !ok {
		return string(b)
	}
	return a.Unmap().String()
}

func parseIP(text string) (string, error) {
	a, err := netip.ParseAddr(text)
	if err != nil || a.Zone() != "" {
		return "", eserr.IllegalArgument("'%s' is not an IP string literal.", text)
	}
	b := a.As16()
	return string(b[:]), nil
}

// javaLong cuts a double to a whole number as Java does.
func javaLong(v float64) int64 {
	switch {
	case v >= math.MaxInt64:
		return math.MaxInt64
	case v <= math.MinInt64:
		return math.MinInt64
	}
	return int64(v)
}
