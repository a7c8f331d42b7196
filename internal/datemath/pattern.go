package datemath

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// patternLayout is a compiled Java pattern.
type patternLayout struct{ printer, parser []element }

// element is one piece of a pattern: a literal, an optional section, or a letter with
// the number of its repetitions.
type element struct {
	letter  byte // 0 for a literal, '[' for a section
	width   int
	literal string
	section []element
	// adjacent says that another number follows without anything between.
	adjacent bool
}

func compile(print, parse string) (layout, error) {
	p, err := elements(print)
	if err != nil {
		return nil, err
	}
	if parse == print {
		return &patternLayout{p, p}, nil
	}
	q, err := elements(parse)
	return &patternLayout{p, q}, err
}

func elements(pattern string) ([]element, error) {
	list, rest, err := section(pattern, 0)
	if err == nil && rest != "" {
		err = errors.New("Pattern invalid as it contains ] without previous [")
	}
	return list, err
}

const maxSections = 64

func section(p string, depth int) (list []element, rest string, err error) {
	if depth > maxSections {
		return nil, "", errors.New("Pattern has too many optional sections")
	}
	for p != "" {
		c := p[0]
		switch {
		case c == ']':
			return list, p, nil
		case c == '[':
			inner, after, err := section(p[1:], depth+1)
			if err != nil {
				return nil, "", err
			}
			list = append(list, element{letter: '[', section: inner})
			p = strings.TrimPrefix(after, "]")
			continue
		case c == '\'':
			end := strings.IndexByte(p[1:], '\'')
			if end < 0 {
				return nil, "", errors.New("Pattern ends with an incomplete string literal: " + p)
			}
			text := p[1 : end+1]
			if text == "" {
				text = "'"
			}
			list = append(list, element{literal: text})
			p = p[end+2:]
			continue
		case c == '{' && depth == 0 && strings.IndexByte(p, '}') > 0:
			end := strings.IndexByte(p, '}')
			switch p[1:end] {
			case "xxxx":
				list = append(list, element{letter: 'w' - 'a' + 1, width: 4})
			case "ww":
				list = append(list, element{letter: 'w', width: 2})
			case "k":
				list = append(list, element{letter: 'k' - 'a' + 1, width: 1})
			case "Z":
				list = append(list, element{letter: 'Z' - 'A' + 1, width: 1})
			default:
				return nil, "", errors.New("Pattern includes reserved character: '{'")
			}
			p = p[end+1:]
			continue
		case c == '{' || c == '}' || c == '#':
			return nil, "", fmt.Errorf("Pattern includes reserved character: '%c'", c)
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			n := 1
			for n < len(p) && p[n] == c {
				n++
			}
			if !strings.ContainsRune("GuyYMLdDQqwWeEcaHhKkmsSAnNVzOXxZ", rune(c)) {
				return nil, "", fmt.Errorf("Unknown pattern letter: %c", c)
			}
			if n > 9 && c != 'S' && c != 'u' && c != 'y' || n > 19 {
				return nil, "", fmt.Errorf("Too many pattern letters: %c", c)
			}
			p = p[n:]
			if c == 'S' && strings.HasPrefix(p, "{1,9}") {
				n, p = -1, p[5:]
			}
			if k := len(list); k > 0 && list[k-1].numeric() {
				list[k-1].adjacent = element{letter: c, width: n}.numeric()
			}
			list = append(list, element{letter: c, width: n})
			continue
		}
		list = append(list, element{literal: p[:1]})
		p = p[1:]
	}
	return list, "", nil
}

func (e element) numeric() bool {
	switch e.letter {
	case 'u', 'y', 'd', 'D', 'H', 'h', 'K', 'k', 'm', 's', 'S', 'w', 'Y', 'A', 'n', 'N':
		return true
	case 'M', 'L', 'Q', 'q', 'e', 'c':
		return e.width <= 2
	}
	return false
}

// The letters of the named formats that Java writes otherwise.
const (
	isoWeekYear = 'w' - 'a' + 1
	isoWeekday  = 'k' - 'a' + 1
	anyOffset   = 'Z' - 'A' + 1
)

func (l *patternLayout) parse(text string, f *fields) bool {
	rest, ok := parseAll(l.parser, text, f)
	return ok && rest == ""
}

func parseAll(list []element, s string, f *fields) (string, bool) {
	for i := range list {
		e := &list[i]
		if e.letter == '[' {
			kept := *f
			if rest, ok := parseAll(e.section, s, f); ok {
				s = rest
			} else {
				*f = kept
			}
			continue
		}
		rest, ok := e.parse(s, f)
		if !ok {
			return "", false
		}
		s = rest
	}
	return s, true
}

func (e *element) parse(s string, f *fields) (string, bool) {
	switch e.letter {
	case 0:
		return strings.CutPrefix(s, e.literal)
	case 'G':
		return cutName(s, []string{"AD", "BC", "Anno Domini", "Before Christ"}, func(int) {})
	case 'E', 'c', 'e':
		if e.letter != 'E' && e.width <= 2 {
			return e.number(s, f, hasWeekday, &f.weekday, 1, 7)
		}
		return cutName(s, dayNames(), func(i int) {})
	case 'M', 'L':
		if e.width >= 3 {
			return cutName(s, monthNames(), func(i int) { f.month = i%12 + 1; f.has |= hasMonth })
		}
		return e.number(s, f, hasMonth, &f.month, 1, 12)
	case 'a':
		return cutName(s, []string{"AM", "PM"}, func(i int) { f.afternoon = i == 1 })
	case 'u', 'y', 'Y', isoWeekYear:
		flag, into := uint32(hasYear), &f.year
		if e.letter == 'Y' || e.letter == isoWeekYear {
			flag, into = hasWeekYear, &f.weekYear
		}
		if e.width == 2 {
			n, end, ok := digits(s, 0, 2, 2)
			*into = 2000 + n
			f.has |= flag
			return s[end:], ok
		}
		neg := strings.HasPrefix(s, "-")
		s = strings.TrimPrefix(s, "-")
		s, ok := e.number(s, f, flag, into, 0, 999_999_999)
		if neg {
			*into = -*into
		}
		return s, ok
	case 'd':
		return e.number(s, f, hasDay, &f.day, 1, 31)
	case 'D':
		return e.number(s, f, hasDayOfYear, &f.dayOfYear, 1, 366)
	case 'w':
		return e.number(s, f, hasWeek, &f.week, 1, 53)
	case isoWeekday:
		return e.number(s, f, hasWeekday, &f.weekday, 1, 7)
	case 'H':
		return e.number(s, f, hasHour, &f.hour, 0, 23)
	case 'k':
		s, ok := e.number(s, f, hasHour, &f.hour, 1, 24)
		f.hour %= 24
		return s, ok
	case 'h', 'K':
		return e.number(s, f, hasHalf, &f.half, 0, 12)
	case 'm':
		return e.number(s, f, hasMinute, &f.minute, 0, 59)
	case 's':
		return e.number(s, f, hasSecond, &f.second, 0, 59)
	case 'A':
		return e.number(s, f, hasMilliOfDay, &f.milliOfDay, 0, 86_399_999)
	case 'n':
		return e.number(s, f, hasNano, &f.nano, 0, 999_999_999)
	case 'S':
		low, high := e.width, e.width
		if e.width < 0 {
			low, high = 1, 9
		}
		n, end, ok := digits(s, 0, low, min(high, 9))
		for range 9 - end {
			n *= 10
		}
		f.nano = n
		f.has |= hasNano
		return s[end:], ok
	case 'X', 'x', 'Z', anyOffset, 'O', 'z', 'V':
		return parseZonePrefix(s, f)
	}
	return "", false
}

// number reads digits: as many as the letter is repeated when several or when another
// number follows at once, any number of them for a single letter.
func (e *element) number(s string, f *fields, flag uint32, into *int, low, high int) (string, bool) {
	least, most := 1, 9
	if e.width > 1 {
		least, most = e.width, e.width
	} else if e.adjacent {
		most = 1
	}
	n, end, ok := digits(s, 0, least, most)
	if !ok || n < low || n > high {
		return "", false
	}
	*into = n
	f.has |= flag
	return s[end:], true
}

func cutName(s string, names []string, found func(i int)) (string, bool) {
	best := -1
	for i, n := range names {
		if len(s) >= len(n) && strings.EqualFold(s[:len(n)], n) && (best < 0 || len(n) > len(names[best])) {
			best = i
		}
	}
	if best < 0 {
		return "", false
	}
	found(best)
	return s[len(names[best]):], true
}

// parseZonePrefix takes as much of s as is a zone.
func parseZonePrefix(s string, f *fields) (string, bool) {
	end := 0
	for end < len(s) && (s[end] == '+' || s[end] == '-' || s[end] == ':' || s[end] == '/' || s[end] == '_' ||
		s[end] >= '0' && s[end] <= '9' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z') {
		end++
	}
	for ; end > 0; end-- {
		if f.parseZone(s[:end]) {
			return s[end:], true
		}
	}
	return "", false
}

func monthNames() []string {
	return []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
		"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
}

func dayNames() []string {
	return []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}
}

func (l *patternLayout) print(dst []byte, i Instant, zone *time.Location) []byte {
	return printAll(l.printer, dst, i, i.in(zone))
}

func printAll(list []element, dst []byte, i Instant, t time.Time) []byte {
	for k := range list {
		if list[k].letter == '[' {
			dst = printAll(list[k].section, dst, i, t)
			continue
		}
		dst = list[k].print(dst, i, t)
	}
	return dst
}

func (e *element) print(dst []byte, i Instant, t time.Time) []byte {
	switch e.letter {
	case 0:
		return append(dst, e.literal...)
	case 'G':
		return append(dst, "AD"...)
	case 'u', 'y':
		if e.width == 2 {
			return appendPadded(dst, t.Year()%100, 2)
		}
		return appendYear(dst, t.Year(), e.width)
	case 'Y', isoWeekYear:
		y, _ := t.ISOWeek()
		if e.width == 2 {
			return appendPadded(dst, y%100, 2)
		}
		return appendYear(dst, y, e.width)
	case 'w':
		_, w := t.ISOWeek()
		return appendPadded(dst, w, e.width)
	case 'W':
		_, w := t.ISOWeek()
		_, first := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).ISOWeek()
		return appendPadded(dst, w-first+1, e.width)
	case isoWeekday:
		return appendPadded(dst, (int(t.Weekday())+6)%7+1, 1)
	case 'e', 'c':
		if e.width <= 2 {
			return appendPadded(dst, int(t.Weekday())+1, e.width)
		}
		return append(dst, t.Weekday().String()[:3]...)
	case 'E':
		return append(dst, t.Weekday().String()[:3]...)
	case 'M', 'L':
		if e.width >= 3 {
			return append(dst, t.Month().String()[:3]...)
		}
		return appendPadded(dst, int(t.Month()), e.width)
	case 'Q', 'q':
		if e.width >= 3 {
			dst = append(dst, 'Q')
		}
		return appendPadded(dst, (int(t.Month())+2)/3, 1)
	case 'd':
		return appendPadded(dst, t.Day(), e.width)
	case 'D':
		return appendPadded(dst, t.YearDay(), e.width)
	case 'a':
		if t.Hour() < 12 {
			return append(dst, "AM"...)
		}
		return append(dst, "PM"...)
	case 'H':
		return appendPadded(dst, t.Hour(), e.width)
	case 'k':
		return appendPadded(dst, (t.Hour()+23)%24+1, e.width)
	case 'K':
		return appendPadded(dst, t.Hour()%12, e.width)
	case 'h':
		return appendPadded(dst, (t.Hour()+11)%12+1, e.width)
	case 'm':
		return appendPadded(dst, t.Minute(), e.width)
	case 's':
		return appendPadded(dst, t.Second(), e.width)
	case 'A':
		return strconv.AppendInt(dst, int64((t.Hour()*3600+t.Minute()*60+t.Second())*1000+t.Nanosecond()/1e6), 10)
	case 'N':
		return strconv.AppendInt(dst, int64(t.Hour()*3600+t.Minute()*60+t.Second())*1e9+int64(t.Nanosecond()), 10)
	case 'n':
		return strconv.AppendInt(dst, int64(t.Nanosecond()), 10)
	case 'S':
		if e.width < 0 { // at least milliseconds, no trailing zeros beyond
			from := len(dst)
			dst = appendPadded(dst, int(i.Nano), 9)
			for len(dst) > from+3 && dst[len(dst)-1] == '0' {
				dst = dst[:len(dst)-1]
			}
			return dst
		}
		return appendPadded(dst, int(i.Nano)/pow10(9-min(e.width, 9)), e.width)
	}
	return e.printZone(dst, t)
}

func (e *element) printZone(dst []byte, t time.Time) []byte {
	switch e.letter {
	case anyOffset:
		return appendOffset(dst, t, true, true)
	case 'X', 'x':
		from := len(dst)
		dst = appendOffset(dst, t, e.letter == 'X', e.width == 3 || e.width == 5)
		if e.width == 1 && strings.HasSuffix(string(dst[from:]), "00") {
			dst = dst[:len(dst)-2]
		}
		return dst
	case 'Z':
		if e.width == 5 {
			return appendOffset(dst, t, true, true)
		}
		if e.width == 4 {
			dst = append(dst, "GMT"...)
			if _, o := t.Zone(); o == 0 {
				return dst
			}
			return appendOffset(dst, t, false, true)
		}
		return appendOffset(dst, t, false, false)
	case 'O':
		dst = append(dst, "GMT"...)
		_, o := t.Zone()
		if o == 0 {
			return dst
		}
		dst = append(dst, "+-"[b2i(o < 0)])
		if o < 0 {
			o = -o
		}
		dst = strconv.AppendInt(dst, int64(o/3600), 10)
		if m := o / 60 % 60; m != 0 {
			dst = append(dst, ':')
			dst = appendPadded(dst, m, 2)
		}
		return dst
	}
	// V and z: the zone's name.
	if t.Location() == time.UTC {
		return append(dst, 'Z')
	}
	if e.letter == 'V' {
		return append(dst, t.Location().String()...)
	}
	name, _ := t.Zone()
	return append(dst, name...)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
