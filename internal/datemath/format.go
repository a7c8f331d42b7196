// Package datemath reads and prints dates by Java's patterns and Elasticsearch's named
// formats, resolves date math, and rounds instants to calendar units in time zones.
package datemath

import (
	"strconv"
	"strings"
	"time"

	"postern/internal/eserr"
)

// Instant is a moment in nanoseconds, beyond the range of int64 nanoseconds too.
type Instant struct {
	Sec  int64 // since 1970-01-01T00:00:00Z
	Nano int32 // [0, 1e9)
}

// Millis is the instant in milliseconds, rounded down.
func (i Instant) Millis() int64 { return i.Sec*1000 + int64(i.Nano)/1e6 }

// The instants that date_nanos can hold.
const (
	maxNanoSec = 9223372036 // 2262-04-11T23:47:16Z
	maxNano    = 854775807
)

// ClampedNanos is the instant in nanoseconds within what date_nanos holds.
func (i Instant) ClampedNanos() int64 {
	switch {
	case i.Sec < 0:
		return 0
	case i.Sec > maxNanoSec || i.Sec == maxNanoSec && i.Nano > maxNano:
		return maxNanoSec*1e9 + maxNano
	}
	return i.Sec*1e9 + int64(i.Nano)
}

// InNanoRange reports whether date_nanos can hold the instant.
func (i Instant) InNanoRange() bool {
	return i.Sec >= 0 && (i.Sec < maxNanoSec || i.Sec == maxNanoSec && i.Nano <= maxNano)
}

// FromMillis is the instant of a number of milliseconds.
func FromMillis(ms int64) Instant {
	sec := floorDiv(ms, 1000)
	return Instant{sec, int32(ms-sec*1000) * 1e6}
}

// FromNanos is the instant of a number of nanoseconds.
func FromNanos(ns int64) Instant {
	sec := floorDiv(ns, 1e9)
	return Instant{sec, int32(ns - sec*1e9)}
}

func (i Instant) in(zone *time.Location) time.Time { return time.Unix(i.Sec, int64(i.Nano)).In(zone) }

func instantOf(t time.Time) Instant { return Instant{t.Unix(), int32(t.Nanosecond())} }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Format is one or several alternatives, of which the first prints.
type Format struct {
	text         string
	alternatives []layout
}

// layout is one alternative. Its parse fills what the text says; it reports whether the
// whole text fits.
type layout interface {
	parse(text string, f *fields) bool
	print(dst []byte, i Instant, zone *time.Location) []byte
}

// DefaultPattern is the format of date fields that name none.
const DefaultPattern = "strict_date_optional_time||epoch_millis"

// Default is the format of DefaultPattern.
func Default() *Format {
	return &Format{DefaultPattern, []layout{isoLayout{}, epochLayout{millis: true}}}
}

// ParseFormat reads a format: named formats and Java patterns, joined by ||.
func ParseFormat(text string) (*Format, error) {
	if text == DefaultPattern {
		return Default(), nil
	}
	f := &Format{text: text}
	if text == "" {
		return nil, eserr.IllegalArgument("No date pattern provided")
	}
	for part := range strings.SplitSeq(text, "||") {
		l, err := layoutOf(strings.TrimPrefix(part, "8"))
		if err != nil {
			return nil, err
		}
		f.alternatives = append(f.alternatives, l)
	}
	return f, nil
}

// Pattern is the format as it was written.
func (f *Format) Pattern() string { return f.text }

// String is the format as it was written.
func (f *Format) String() string { return f.text }

// AppendFormat appends the instant in the zone by the first alternative.
func (f *Format) AppendFormat(dst []byte, i Instant, zone *time.Location) []byte {
	return f.alternatives[0].print(dst, i, zone)
}

// Numeric reports whether the format prints plain numbers, which then stand unquoted in
// no answer all the same.
func (f *Format) Numeric() bool {
	_, ok := f.alternatives[0].(epochLayout)
	return ok
}

// Parse reads an instant; what the text leaves open is the beginning of the year, month
// or day. A text without a zone is in the given one.
func (f *Format) Parse(text string, zone *time.Location) (Instant, error) {
	return f.read(text, zone, false)
}

func (f *Format) read(text string, zone *time.Location, roundUp bool) (Instant, error) {
	if strings.TrimSpace(text) == "" {
		return Instant{}, eserr.IllegalArgument("cannot parse empty datetime")
	}
	for _, l := range f.alternatives {
		var v fields
		if !l.parse(text, &v) {
			continue
		}
		return v.resolve(zone, roundUp)
	}
	e := eserr.IllegalArgument("failed to parse date field [%s] with format [%s]", text, f.text)
	cause := &eserr.Error{Status: 400, Type: "date_time_parse_exception", Reason: "Failed to parse with all enclosed parsers"}
	if len(f.alternatives) == 1 {
		cause.Reason = "Text '" + text + "' could not be parsed at index 0"
	}
	return Instant{}, e.Cause(cause)
}

// epochLayout is epoch_millis or epoch_second, with fractions.
type epochLayout struct{ millis bool }

func (e epochLayout) parse(text string, f *fields) bool {
	whole, fraction, dot := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || whole[0] == '+' || dot && (fraction == "" || len(fraction) > 9) {
		return false
	}
	nanos := int64(0)
	if dot {
		for i := range 9 {
			nanos *= 10
			if i < len(fraction) {
				if fraction[i] < '0' || fraction[i] > '9' {
					return false
				}
				nanos += int64(fraction[i] - '0')
			}
		}
	}
	neg := strings.HasPrefix(whole, "-")
	if e.millis {
		f.instant = FromMillis(n)
		nanos /= 1e6
	} else {
		f.instant = Instant{n, 0}
	}
	if nanos > 0 {
		if neg {
			nanos = -nanos
		}
		total := int64(f.instant.Nano) + nanos
		f.instant.Sec += floorDiv(total, 1e9)
		f.instant.Nano = int32(total - floorDiv(total, 1e9)*1e9)
	}
	f.has |= hasInstant
	return true
}

func (e epochLayout) print(dst []byte, i Instant, _ *time.Location) []byte {
	if e.millis {
		dst = strconv.AppendInt(dst, i.Millis(), 10)
		return appendFraction(dst, i.Nano%1e6, 6)
	}
	if i.Sec < 0 && i.Nano > 0 {
		dst = append(dst, '-')
		i = Instant{-i.Sec - 1, 1e9 - i.Nano}
	}
	dst = strconv.AppendInt(dst, i.Sec, 10)
	return appendFraction(dst, i.Nano, 9)
}

// appendFraction appends a point and the digits of a fraction without trailing zeros;
// nothing for zero.
func appendFraction(dst []byte, n int32, digits int) []byte {
	if n == 0 {
		return dst
	}
	text := strconv.Itoa(int(n))
	dst = append(dst, '.')
	for range digits - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, strings.TrimRight(text, "0")...)
}

// Java is the instant as Java's Instant prints it: no fraction, or one of three, six or
// nine digits.
func (i Instant) Java() string {
	t := i.in(time.UTC)
	dst := appendYear(nil, t.Year(), 4)
	dst = append(t.AppendFormat(dst, "-01-02T15:04:05"), '.')
	switch {
	case i.Nano == 0:
		dst = dst[:len(dst)-1]
	case i.Nano%1e6 == 0:
		dst = appendPadded(dst, int(i.Nano)/1e6, 3)
	case i.Nano%1e3 == 0:
		dst = appendPadded(dst, int(i.Nano)/1e3, 6)
	default:
		dst = appendPadded(dst, int(i.Nano), 9)
	}
	return string(append(dst, 'Z'))
}
