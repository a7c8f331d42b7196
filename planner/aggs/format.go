package aggs

import (
	"net/netip"
	"strconv"
	"strings"
	"time"

	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// format is how an aggregation writes values as text.
type format struct {
	dates   *datemath.Format
	nanos   bool
	zone    *time.Location
	boolean bool
	// decimals are the digits behind the point of a pattern such as 0.00; −1 without one.
	decimals int
}

func formatOf(f *mapping.Field, pattern, zone *string) (format, error) {
	out := format{decimals: -1, zone: time.UTC}
	if zone != nil {
		z, err := datemath.Zone(*zone)
		if err != nil {
			return out, err
		}
		out.zone = z
	}
	switch {
	case f != nil && (f.Type == "date" || f.Type == "date_nanos"):
		out.dates, out.nanos = f.Format, f.Type == "date_nanos"
		if pattern != nil {
			p, err := datemath.ParseFormat(*pattern)
			if err != nil {
				return out, err
			}
			out.dates = p
		}
	case f != nil && f.Type == "boolean":
		out.boolean = true
	case pattern != nil && (f == nil || f.Kind == mapping.KindLong || f.Kind == mapping.KindDouble):
		whole, fraction, _ := strings.Cut(*pattern, ".")
		if whole != "0" && whole != "#" || strings.Trim(fraction, "0") != "" {
			if f == nil {
				return out, nil
			}
			return out, eserr.Refused("[format] [%s] of aggregations on numbers is not supported: only patterns such as 0.00 are", *pattern)
		}
		out.decimals = len(fraction)
	}
	return out, nil
}

// shown reports whether values are written as text beside their number.
func (f *format) shown() bool { return f.dates != nil || f.boolean || f.decimals >= 0 }

func (f *format) instant(v int64) datemath.Instant {
	if f.nanos {
		return datemath.FromNanos(v)
	}
	return datemath.FromMillis(v)
}

func (f *format) long(v int64) string {
	switch {
	case f.dates != nil:
		return string(f.dates.AppendFormat(nil, f.instant(v), f.zone))
	case f.boolean:
		return strconv.FormatBool(v != 0)
	case f.decimals >= 0:
		return strconv.FormatFloat(float64(v), 'f', f.decimals, 64)
	}
	return strconv.FormatInt(v, 10)
}

func (f *format) double(v float64) string {
	switch {
	case f.dates != nil, f.boolean:
		if f.boolean {
			return strconv.FormatBool(v != 0)
		}
		return f.long(int64(v))
	case f.decimals >= 0:
		return strconv.FormatFloat(v, 'f', f.decimals, 64)
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
