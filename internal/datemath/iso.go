package datemath

import (
	"strconv"
	"time"
)

// isoLayout is strict_date_optional_time, and date_optional_time when lenient; by far the
// most used format, so it is read by hand, without allocating.
type isoLayout struct {
	lenient bool
	nanos   bool // strict_date_optional_time_nanos: prints up to nanoseconds
}

func (l isoLayout) parse(s string, f *fields) bool {
	i := 0
	neg := i < len(s) && s[i] == '-'
	if neg {
		i++
	}
	minYear, maxYear, short := 4, 4, 2
	if l.lenient {
		minYear, maxYear, short = 1, 9, 1
	}
	var ok bool
	if f.year, i, ok = digits(s, i, minYear, maxYear); !ok {
		return false
	}
	if neg {
		f.year = -f.year
	}
	f.has |= hasYear
	if i < len(s) && s[i] == '-' {
		if f.month, i, ok = digits(s, i+1, short, 2); !ok || f.month < 1 || f.month > 12 {
			return false
		}
		f.has |= hasMonth
		if i < len(s) && s[i] == '-' {
			if f.day, i, ok = digits(s, i+1, short, 2); !ok || f.day < 1 || f.day > 31 {
				return false
			}
			f.has |= hasDay
		}
	}
	if i == len(s) {
		return true
	}
	if s[i] != 'T' || !f.set(hasDay) && !l.lenient {
		return false
	}
	i++
	if i == len(s) {
		return true
	}
	if f.hour, i, ok = digits(s, i, short, 2); !ok || f.hour > 23 {
		return false
	}
	f.has |= hasHour
	if i < len(s) && s[i] == ':' {
		if f.minute, i, ok = digits(s, i+1, short, 2); !ok || f.minute > 59 {
			return false
		}
		f.has |= hasMinute
		if i < len(s) && s[i] == ':' {
			if f.second, i, ok = digits(s, i+1, short, 2); !ok || f.second > 59 {
				return false
			}
			f.has |= hasSecond
			if i < len(s) && (s[i] == '.' || s[i] == ',') {
				from := i + 1
				var n int
				if n, i, ok = digits(s, from, 1, 9); !ok {
					return false
				}
				for range 9 - (i - from) {
					n *= 10
				}
				f.nano = n
				f.has |= hasNano
			}
		}
	}
	if i == len(s) {
		return true
	}
	return f.parseZone(s[i:])
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

// parseZone reads Z, an offset, or the name of a zone.
func (f *fields) parseZone(s string) bool {
	if s == "Z" {
		f.has |= hasOffset
		return true
	}
	if s[0] == '+' || s[0] == '-' {
		offset, ok := parseOffset(s)
		if !ok {
			return false
		}
		f.offset = offset
		f.has |= hasOffset
		return true
	}
	zone, err := Zone(s)
	if err != nil {
		return false
	}
	f.zone = zone
	return true
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
	if i != len(s) || part[0] > 18 || part[1] > 59 || part[2] > 59 {
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
	return appendOffset(dst, t, true, true)
}

// appendYear writes a year of at least that many digits; longer ones get a plus sign.
func appendYear(dst []byte, year, width int) []byte {
	switch {
	case year < 0:
		dst = append(dst, '-')
		year = -year
	case year > 9999 && width == 4:
		dst = append(dst, '+')
	}
	return appendPadded(dst, year, width)
}

func appendPadded(dst []byte, n, width int) []byte {
	for ; width > 1; width-- {
		if n < pow10(width-1) {
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

// appendOffset writes the offset of t; zulu prints Z for UTC.
func appendOffset(dst []byte, t time.Time, zulu, colon bool) []byte {
	_, seconds := t.Zone()
	if seconds == 0 && zulu {
		return append(dst, 'Z')
	}
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	dst = append(dst, sign)
	dst = appendPadded(dst, seconds/3600, 2)
	if colon {
		dst = append(dst, ':')
	}
	return appendPadded(dst, seconds/60%60, 2)
}

func itoa(n int) string { return strconv.Itoa(n) }
