package datemath

import "time"

// fastISO reads the shapes that nearly all dates have, YYYY-MM-DD with a time to the
// second, its fraction, and Z or an offset, without the generality of fields. It says no
// to whatever else the format may take.
func fastISO(s string) (Instant, bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return Instant{}, false
	}
	century, year, month, day := two(s, 0), two(s, 2), two(s, 5), two(s, 8)
	if century|year|month|day < 0 || month < 1 || month > 12 || day < 1 {
		return Instant{}, false
	}
	year += century * 100
	if day > 28 && day > daysIn(year, month) {
		return Instant{}, false
	}
	sec := daysFromCivil(year, month, day) * 86400
	if len(s) == 10 {
		return Instant{sec, 0}, true
	}
	if len(s) < 19 || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return Instant{}, false
	}
	hour, minute, second := two(s, 11), two(s, 14), two(s, 17)
	if hour|minute|second < 0 || hour > 23 || minute > 59 || second > 59 {
		return Instant{}, false
	}
	sec += int64(hour*3600 + minute*60 + second)
	nano, i := 0, 19
	if i < len(s) && s[i] == '.' {
		i++
		scale := 100_000_000
		for ; i < len(s) && s[i]-'0' <= 9 && scale > 0; i++ {
			nano += int(s[i]-'0') * scale
			scale /= 10
		}
		if i == 20 {
			return Instant{}, false
		}
	}
	switch {
	case i == len(s), i+1 == len(s) && s[i] == 'Z':
		return Instant{sec, int32(nano)}, true
	case i+6 == len(s) && (s[i] == '+' || s[i] == '-') && s[i+3] == ':':
		h, m := two(s, i+1), two(s, i+4)
		if h|m < 0 || h > 17 || m > 59 {
			return Instant{}, false
		}
		offset := int64(h*3600 + m*60)
		if s[i] == '-' {
			offset = -offset
		}
		return Instant{sec - offset, int32(nano)}, true
	}
	return Instant{}, false
}

// two is the number of two digits at i, negative when they are none.
func two(s string, i int) int {
	a, b := s[i]-'0', s[i+1]-'0'
	if a > 9 || b > 9 {
		return -1
	}
	return int(a)*10 + int(b)
}

// fastMillis reads a plain number of milliseconds that cannot be taken for a year.
func fastMillis(s string) (Instant, bool) {
	if len(s) < 6 || len(s) > 18 {
		return Instant{}, false
	}
	n := int64(0)
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 {
			return Instant{}, false
		}
		n = n*10 + int64(d)
	}
	return FromMillis(n), true
}

// fast reads what most texts are in most formats.
func (f *Format) fast(text string, zone *time.Location) (Instant, bool) {
	if !f.iso || zone != nil && zone != time.UTC {
		return Instant{}, false
	}
	if i, ok := fastISO(text); ok {
		return i, true
	}
	if f.millis {
		return fastMillis(text)
	}
	return Instant{}, false
}
