package datemath

import (
	"strconv"
	"time"
)

// isoLayout is strict_date_optional_time; by far the most used format, so it is read by
// hand, without allocating.
type isoLayout struct {
	nanos bool // strict_date_optional_time_nanos: prints up to nanoseconds
}

func (isoLayout) parsers() int { return 2 }

func (l isoLayout) read(n int, s string, f *fields) failure {
	if n > 0 {
		return failure{} // the second way of Elasticsearch's takes nothing that the first does not
	}
	f.plain = true
	if s[0] != '-' {
		return l.readDate(s, f)
	}
	if fail := l.readDate(s[1:], f); fail.at >= 0 {
		return failure{at: fail.at + 1}
	}
	f.value[year] = -f.value[year]
	return fits
}

// part reads exactly two digits into a field.
func part(s string, at int, k field, high int, f *fields) bool {
	n, _, ok := digits(s, at, 2, 2)
	if !ok || n > high {
		return false
	}
	f.value[k] = int64(n)
	f.has |= 1 << k
	return true
}

func (l isoLayout) readDate(s string, f *fields) failure {
	n, _, ok := digits(s, 0, 4, 4)
	if !ok {
		return failure{at: 0}
	}
	f.value[year] = int64(n)
	f.has |= 1 << year
	switch {
	case len(s) == 4:
		return fits
	case s[4] != '-':
		return failure{at: 4}
	case !part(s, 5, monthOfYear, 12, f):
		return failure{at: 5}
	case len(s) == 7:
		return fits
	case s[7] != '-':
		return failure{at: 7}
	case !part(s, 8, dayOfMonth, 31, f):
		return failure{at: 8}
	case len(s) == 10:
		return fits
	case s[10] != 'T':
		return failure{at: 10}
	case len(s) == 11 && !l.nanos:
		return fits
	case !part(s, 11, hourOfDay, 23, f):
		return failure{at: 11}
	}
	at := 13
	for _, k := range [...]field{minuteOfHour, secondOfMinute} {
		if at == len(s) && !l.nanos {
			return fits
		}
		if at == len(s) || s[at] != ':' {
			if at == len(s) || l.nanos {
				return failure{at: at}
			}
			return f.zoneAt(s, at)
		}
		if !part(s, at+1, k, 59, f) {
			return failure{at: at + 1}
		}
		at += 3
	}
	if at == len(s) {
		return fits
	}
	if s[at] != '.' && s[at] != ',' {
		return f.zoneAt(s, at)
	}
	n, end, ok := digits(s, at+1, 1, 9)
	if !ok {
		return failure{at: at + 1}
	}
	for range 9 - (end - at - 1) {
		n *= 10
	}
	f.value[nanoOfSecond] = int64(n)
	f.has |= 1 << nanoOfSecond
	if end == len(s) {
		return fits
	}
	return f.zoneAt(s, end)
}

// zoneAt reads the rest of a text as Z, an offset, or the name of a zone.
func (f *fields) zoneAt(s string, at int) failure {
	rest := s[at:]
	switch {
	case rest == "Z":
		f.put(offsetSeconds, 0, 0, 0)
		return fits
	case rest[0] == '+' || rest[0] == '-':
		seconds, ok := parseOffset(rest)
		if !ok {
			return failure{at: at}
		}
		f.put(offsetSeconds, int64(seconds), 0, 0)
		return fits
	case rest[0] < 'A':
		return failure{at: at}
	}
	zone, err := Zone(rest)
	if err != nil {
		return failure{at: at}
	}
	f.zone = zone
	return fits
}

// digits reads between low and high digits at i.
func digits(s string, i, low, high int) (n, end int, ok bool) {
	end = i
	for end < len(s) && end-i < high && s[end] >= '0' && s[end] <= '9' {
		n = n*10 + int(s[end]-'0')
		end++
	}
	return n, end, end-i >= low
}

// parseOffset reads ±HH, ±HHmm, ±HH:mm and the same with seconds.
func parseOffset(s string) (seconds int, ok bool) {
	var part [3]int
	i := 1
	for n := 0; n < 3 && i < len(s); n++ {
		if n > 0 && s[i] == ':' {
			i++
		}
		if part[n], i, ok = digits(s, i, 2, 2); !ok {
			return 0, false
		}
	}
	if i != len(s) || i == 1 || part[0] > 18 || part[1] > 59 || part[2] > 59 || part[0] == 18 && part[1]+part[2] > 0 {
		return 0, false
	}
	seconds = part[0]*3600 + part[1]*60 + part[2]
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

func (l isoLayout) print(dst []byte, i Instant, zone *time.Location) []byte {
	t := i.in(zone)
	dst = appendYear(dst, t.Year(), 4)
	dst = append(dst, '-')
	dst = appendPadded(dst, int(t.Month()), 2)
	dst = append(dst, '-')
	dst = appendPadded(dst, t.Day(), 2)
	dst = append(dst, 'T')
	dst = appendPadded(dst, t.Hour(), 2)
	dst = append(dst, ':')
	dst = appendPadded(dst, t.Minute(), 2)
	dst = append(dst, ':')
	dst = appendPadded(dst, t.Second(), 2)
	dst = append(dst, '.')
	dst = appendPadded(dst, int(i.Nano)/1e6, 3)
	if rest := int(i.Nano) % 1e6; rest != 0 {
		from := len(dst)
		dst = appendPadded(dst, rest, 6)
		for len(dst) > from && dst[len(dst)-1] == '0' {
			dst = dst[:len(dst)-1]
		}
	}
	return appendOffset(dst, t)
}

// appendYear writes a year of at least that many digits; longer ones get a plus sign.
func appendYear(dst []byte, year, width int) []byte {
	return appendSigned(dst, int64(year), width, signExceedsPad)
}

func appendPadded(dst []byte, n, width int) []byte {
	for ; width > 1; width-- {
		if width > 19 || n < pow10(width-1) {
			dst = append(dst, '0')
		}
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

func pow10(n int) int {
	p := 1
	for range n {
		p *= 10
	}
	return p
}

// appendOffset writes the offset of t, Z for none.
func appendOffset(dst []byte, t time.Time) []byte {
	return (offsetStyle{zero: "Z", minutes: 2, seconds: 1, colon: true}).print(dst, t)
}

func itoa(n int) string { return strconv.Itoa(n) }
