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
	// iso says that the first alternative is that of ISO dates, millis that the second is
	// epoch_millis.
	iso, millis bool
}

// layout is one alternative.
type layout interface {
	// parsers counts the ways in which it reads; a text that none of several takes is
	// refused in other words than one that the only one does not take.
	parsers() int
	// read reads the whole of a text, which is not empty, in the n-th of the ways.
	read(n int, text string, f *fields) failure
	print(dst []byte, i Instant, zone *time.Location) []byte
}

// failure is where a text stops to fit, at < 0 for never; rest says that something is
// left over rather than wrong.
type failure struct {
	at   int
	rest bool
}

var fits = failure{at: -1}

func (l *patternLayout) parsers() int { return len(l.readers) }

func (l *patternLayout) read(n int, text string, f *fields) failure {
	end := parseAll(l.readers[n], text, 0, f)
	switch {
	case end < 0:
		return failure{at: ^end}
	case end < len(text):
		return failure{at: end, rest: true}
	}
	if l.overflow {
		f.runOver()
	}
	return fits
}

func (l *patternLayout) print(dst []byte, i Instant, zone *time.Location) []byte {
	return printAll(l.printer, dst, i, i.in(zone))
}

// DefaultPattern is the format of date fields that name none.
const DefaultPattern = "strict_date_optional_time||epoch_millis"

// Default is the format of DefaultPattern.
func Default() *Format {
	return &Format{DefaultPattern, []layout{isoLayout{}, epochLayout{millis: true}}, true, true}
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
		if part == "" {
			return nil, eserr.IllegalArgument("Cannot have empty element in multi date format pattern: %s", text)
		}
		l, err := layoutOf(strings.TrimPrefix(part, "8"))
		if err != nil {
			return nil, err
		}
		f.alternatives = append(f.alternatives, l)
	}
	_, f.iso = f.alternatives[0].(isoLayout)
	if len(f.alternatives) > 1 {
		epoch, ok := f.alternatives[1].(epochLayout)
		f.millis = ok && epoch.millis
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
	if i, ok := f.fast(text, zone); ok {
		return i, nil
	}
	return f.read(text, zone, false)
}

func (f *Format) read(text string, zone *time.Location, roundUp bool) (Instant, error) {
	if text == "" {
		return Instant{}, eserr.IllegalArgument("cannot parse empty datetime")
	}
	ways := 0
	for _, l := range f.alternatives {
		ways += l.parsers()
	}
	why := "Failed to parse with all enclosed parsers"
	var cause *eserr.Error
	for _, l := range f.alternatives {
		for n := range l.parsers() {
			var v fields
			fail := l.read(n, text, &v)
			if fail.at < 0 {
				if roundUp {
					v.ceil()
				}
				if cause = v.merge(); cause == nil {
					i, err := v.resolve(zone)
					if err != nil {
						return Instant{}, err
					}
					return i, nil
				}
			}
			if ways > 1 {
				continue
			}
			why = "Text '" + text + "' could not be parsed"
			switch {
			case fail.at < 0:
				why += ": " + cause.Reason
			case fail.rest:
				why += ", unparsed text found at index " + itoa(fail.at)
			default:
				why += " at index " + itoa(fail.at)
			}
		}
	}
	e := &eserr.Error{Status: 400, Type: "date_time_parse_exception", Reason: why}
	if ways == 1 && cause != nil {
		e.CausedBy = cause
	}
	return Instant{}, eserr.IllegalArgument("failed to parse date field [%s] with format [%s]", text, f.text).Cause(e)
}

// epochLayout is epoch_millis or epoch_second, with fractions.
type epochLayout struct{ millis bool }

func (epochLayout) parsers() int { return 2 }

// read reads a whole number of units, or one with a fraction down to nanoseconds.
func (e epochLayout) read(_ int, text string, f *fields) failure {
	whole, part, dot := strings.Cut(text, ".")
	digits := strings.TrimPrefix(whole, "-")
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return failure{at: len(whole) - len(digits) + i}
		}
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	width := 9
	if e.millis {
		width = 6
	}
	if err != nil || whole == "-0" || len(part) > width {
		return failure{at: 0}
	}
	if dot && part == "" {
		return failure{at: len(whole), rest: true}
	}
	nanos := int64(0)
	for i := range width {
		nanos *= 10
		if i < len(part) {
			if part[i] < '0' || part[i] > '9' {
				return failure{at: len(whole) + 1 + i, rest: true}
			}
			nanos += int64(part[i] - '0')
		}
	}
	if whole[0] == '-' {
		nanos = -nanos
	}
	at := Instant{n, 0}
	if e.millis {
		at = FromMillis(n)
	}
	total := int64(at.Nano) + nanos
	f.instant = Instant{at.Sec + floorDiv(total, 1e9), int32(floorMod(total, 1e9))}
	f.whole = true
	if !dot {
		f.open = int32(pow10(width) - 1)
	}
	return fits
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
