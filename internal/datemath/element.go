package datemath

import (
	"strings"
	"time"
)

// An element is one piece of a format. The kinds and their rules are those of Java's
// DateTimeFormatterBuilder in its strict mode, because formats are Java's.
type element struct {
	kind     elementKind
	field    field
	min, max int
	sign     signStyle
	// after is how many digits of the numbers that follow without anything between belong
	// to them; fixed says that this number follows one in that way.
	after   int
	fixed   bool
	point   bool // a fraction with its decimal point
	text    string
	offset  offsetStyle
	names   nameStyle
	section []element
}

type elementKind uint8

const (
	literal elementKind = iota
	number
	reduced // two digits of a year
	fraction
	name
	offset
	localOffset // GMT+1
	region      // a zone by its name or offset
	zoneText
	optional
)

type signStyle uint8

const (
	signNormal      signStyle = iota // only a minus
	signNotNegative                  // none
	signExceedsPad                   // a plus where the number is longer than its width
)

type nameStyle uint8

const (
	shortName nameStyle = iota
	fullName
	narrowName
)

// offsetStyle is the shape of an offset.
type offsetStyle struct {
	zero string // what stands for no offset
	// minutes and seconds: 0 never, 1 where they are not zero, 2 always
	minutes, seconds uint8
	colon            bool
}

// parseAll reads elements from s at pos on. A negative result is the complement of the
// place where reading failed.
func parseAll(list []element, s string, pos int, f *fields) int {
	for i := range list {
		if pos = list[i].parse(s, pos, f); pos < 0 {
			return pos
		}
	}
	return pos
}

func (e *element) parse(s string, pos int, f *fields) int {
	switch e.kind {
	case literal:
		if strings.HasPrefix(s[pos:], e.text) {
			return pos + len(e.text)
		}
		return ^pos
	case number:
		return e.parseNumber(s, pos, f)
	case reduced:
		return e.parseReduced(s, pos, f)
	case fraction:
		return e.parseFraction(s, pos, f)
	case name:
		return e.parseName(s, pos, f)
	case offset:
		return e.parseOffset(s, pos, f)
	case localOffset:
		return e.parseLocalOffset(s, pos, f)
	case region, zoneText:
		return e.parseRegion(s, pos, f)
	}
	kept := *f
	if end := parseAll(e.section, s, pos, f); end >= 0 {
		return end
	}
	*f = kept
	return pos
}

func (e *element) parseNumber(s string, pos int, f *fields) int {
	if pos == len(s) {
		return ^pos
	}
	negative, positive := false, false
	switch s[pos] {
	case '+':
		if e.sign != signExceedsPad {
			return ^pos
		}
		positive = true
		pos++
	case '-':
		if e.sign == signNotNegative {
			return ^pos
		}
		negative = true
		pos++
	}
	least := pos + e.min
	if least > len(s) {
		return ^pos
	}
	end, n := pos, int64(0)
	width := e.max + e.after
	for pass := range 2 {
		for last := min(pos+width, len(s)); end < last && s[end] >= '0' && s[end] <= '9'; end++ {
			n = n*10 + int64(s[end]-'0') // at most 19 digits: beyond int64 is out of every range
		}
		if end < least {
			return ^pos
		}
		if e.after == 0 || pass == 1 {
			break
		}
		width = max(e.min, end-pos-e.after)
		end, n = pos, 0
	}
	if end-pos > 18 && n < 0 {
		n = 1<<63 - 1
	}
	switch {
	case negative && n == 0:
		return ^(pos - 1)
	case negative:
		n = -n
	case e.sign == signExceedsPad && positive && end-pos <= e.min:
		return ^(pos - 1)
	case e.sign == signExceedsPad && !positive && end-pos > e.min:
		return ^pos
	}
	return f.put(e.field, n, pos, end)
}

func (e *element) parseReduced(s string, pos int, f *fields) int {
	if pos < len(s) && (s[pos] == '+' || s[pos] == '-') {
		return ^pos
	}
	if pos+2 > len(s) {
		return ^pos
	}
	n, end, ok := digits(s, pos, 2, 2)
	if !ok {
		return ^pos
	}
	return f.put(e.field, int64(2000+n), pos, end)
}

func (e *element) parseFraction(s string, pos int, f *fields) int {
	if pos == len(s) || e.point && s[pos] != '.' {
		if e.min > 0 {
			return ^pos
		}
		return pos
	}
	if e.point {
		pos++
	}
	if pos+e.min > len(s) {
		return ^pos
	}
	n, end, ok := digits(s, pos, e.min, e.max)
	if !ok {
		return ^pos
	}
	for range 9 - (end - pos) {
		n *= 10
	}
	return f.put(nanoOfSecond, int64(n), pos, end)
}

func (e *element) parseName(s string, pos int, f *fields) int {
	best, at := -1, 0
	styles := [...]nameStyle{e.names, shortName}
	for _, style := range styles {
		for i, n := range namesOf(e.field, style) {
			if strings.HasPrefix(s[pos:], n) && len(n) > best {
				best, at = len(n), i
			}
		}
		if e.names != fullName {
			break
		}
	}
	if best < 0 {
		return ^pos
	}
	value := int64(at)
	switch e.field {
	case monthOfYear, quarterOfYear, dayOfWeek:
		value++
	}
	return f.put(e.field, value, pos, pos+best)
}

// namesOf lists the English names of a field's values from its lowest on.
func namesOf(f field, style nameStyle) []string {
	switch f {
	case monthOfYear:
		switch style {
		case shortName:
			return []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
		case fullName:
			return []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
		}
	case dayOfWeek:
		switch style {
		case shortName:
			return []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
		case fullName:
			return []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
		}
	case ampmOfDay:
		return []string{"AM", "PM"}
	case era:
		if style == fullName {
			return []string{"Before Christ", "Anno Domini"}
		}
		return []string{"BC", "AD"}
	case quarterOfYear:
		if style == fullName {
			return []string{"1st quarter", "2nd quarter", "3rd quarter", "4th quarter"}
		}
		return []string{"Q1", "Q2", "Q3", "Q4"}
	}
	return nil
}

func (e *element) parseOffset(s string, pos int, f *fields) int {
	o := e.offset
	if pos == len(s) {
		return ^pos
	}
	if strings.HasPrefix(s[pos:], o.zero) {
		return f.put(offsetSeconds, 0, pos, pos+len(o.zero))
	}
	if s[pos] != '+' && s[pos] != '-' {
		return ^pos
	}
	seconds, end, ok := o.read(s, pos+1)
	if !ok {
		return ^pos
	}
	if s[pos] == '-' {
		seconds = -seconds
	}
	return f.put(offsetSeconds, int64(seconds), pos, end)
}

// read reads hours and what else the style has.
func (o offsetStyle) read(s string, pos int) (seconds, end int, ok bool) {
	hour, end, ok := digits(s, pos, 2, 2)
	if !ok || hour > 23 {
		return 0, 0, false
	}
	seconds = hour * 3600
	for i, mode := range []uint8{o.minutes, o.seconds} {
		if mode == 0 {
			break
		}
		at := end
		if o.colon {
			if at < len(s) && s[at] == ':' {
				at++
			} else if mode == 2 {
				return 0, 0, false
			} else {
				break
			}
		}
		n, to, ok := digits(s, at, 2, 2)
		if !ok {
			if mode == 2 {
				return 0, 0, false
			}
			break
		}
		if n > 59 {
			if mode == 2 {
				return 0, 0, false
			}
			break
		}
		end = to
		seconds += n * [...]int{60, 1}[i]
	}
	return seconds, end, true
}

func (e *element) parseLocalOffset(s string, pos int, f *fields) int {
	if !strings.HasPrefix(s[pos:], "GMT") {
		return ^pos
	}
	pos += 3
	if pos == len(s) || s[pos] != '+' && s[pos] != '-' {
		return f.put(offsetSeconds, 0, pos, pos)
	}
	low := 1
	if e.max == 4 {
		low = 2
	}
	hour, end, ok := digits(s, pos+1, low, 2)
	if !ok {
		return ^pos
	}
	seconds := hour * 3600
	if end < len(s) && s[end] == ':' {
		minute, to, ok := digits(s, end+1, 2, 2)
		if !ok {
			return ^end
		}
		end, seconds = to, seconds+minute*60
	} else if e.max == 4 {
		return ^end
	}
	if s[pos] == '-' {
		seconds = -seconds
	}
	return f.put(offsetSeconds, int64(seconds), pos, end)
}

// parseRegion takes as much of s as is a zone.
func (e *element) parseRegion(s string, pos int, f *fields) int {
	end := pos
	for end < len(s) && (s[end] == '+' || s[end] == '-' || s[end] == ':' || s[end] == '/' || s[end] == '_' ||
		s[end] >= '0' && s[end] <= '9' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z') {
		end++
	}
	for ; end > pos; end-- {
		word := s[pos:end]
		if word[0] == '+' || word[0] == '-' {
			if e.kind == zoneText {
				return ^pos
			}
			if len(word) < 3 {
				break
			}
		}
		if zone, err := Zone(word); err == nil {
			f.zone = zone
			return end
		}
	}
	return ^pos
}

// printAll appends elements. A section whose fields an instant always has is printed.
func printAll(list []element, dst []byte, i Instant, t time.Time) []byte {
	for k := range list {
		dst = list[k].print(dst, i, t)
	}
	return dst
}

func (e *element) print(dst []byte, i Instant, t time.Time) []byte {
	switch e.kind {
	case literal:
		return append(dst, e.text...)
	case number:
		return appendSigned(dst, e.field.of(i, t), e.min, e.sign)
	case reduced:
		return appendPadded(dst, int(floorMod(e.field.of(i, t), 100)), 2)
	case fraction:
		return e.printFraction(dst, int(i.Nano))
	case name:
		style := e.names
		if style == fullName && (e.field == monthOfYear || e.field == dayOfWeek) {
			style = shortName // the locale that Elasticsearch prints in has no longer ones
		}
		list, at := namesOf(e.field, style), e.field.of(i, t)
		switch e.field {
		case monthOfYear, quarterOfYear, dayOfWeek:
			at--
		}
		if list == nil {
			return append(dst, namesOf(e.field, fullName)[at][0])
		}
		return append(dst, list[at]...)
	case offset:
		return e.offset.print(dst, t)
	case localOffset:
		return printLocalOffset(dst, t, e.max == 4)
	case region:
		return appendZone(dst, t)
	case zoneText:
		if t.Location() == time.UTC {
			return append(dst, 'Z')
		}
		short, seconds := t.Zone()
		if short == "" || short[0] == '+' || short[0] == '-' {
			return (offsetStyle{zero: "Z", minutes: 2, colon: true}).printSeconds(dst, seconds)
		}
		return append(dst, short...)
	}
	return printAll(e.section, dst, i, t)
}

// appendZone appends the name of a zone, or its offset when it is nothing else.
func appendZone(dst []byte, t time.Time) []byte {
	if t.Location() == time.UTC {
		return append(dst, 'Z')
	}
	return append(dst, t.Location().String()...)
}

func (e *element) printFraction(dst []byte, nano int) []byte {
	if e.point {
		if nano == 0 && e.min == 0 {
			return dst
		}
		dst = append(dst, '.')
	}
	from := len(dst)
	dst = appendPadded(dst, nano, 9)
	for len(dst) > from+e.min && (len(dst) > from+e.max || dst[len(dst)-1] == '0') {
		dst = dst[:len(dst)-1]
	}
	return dst
}

func appendSigned(dst []byte, n int64, width int, sign signStyle) []byte {
	switch {
	case n < 0:
		dst = append(dst, '-')
		n = -n
	case sign == signExceedsPad && width < 19 && n >= int64(pow10(width)):
		dst = append(dst, '+')
	}
	return appendPadded(dst, int(n), width)
}

func (o offsetStyle) print(dst []byte, t time.Time) []byte {
	_, seconds := t.Zone()
	return o.printSeconds(dst, seconds)
}

func (o offsetStyle) printSeconds(dst []byte, seconds int) []byte {
	if seconds == 0 {
		return append(dst, o.zero...)
	}
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	dst = append(dst, sign)
	dst = appendPadded(dst, seconds/3600, 2)
	minute, second := seconds/60%60, seconds%60
	if o.minutes == 2 || o.minutes == 1 && (minute > 0 || second > 0 && o.seconds > 0) {
		if o.colon {
			dst = append(dst, ':')
		}
		dst = appendPadded(dst, minute, 2)
		if o.seconds == 2 || o.seconds == 1 && second > 0 {
			if o.colon {
				dst = append(dst, ':')
			}
			dst = appendPadded(dst, second, 2)
		}
	}
	return dst
}

func printLocalOffset(dst []byte, t time.Time, full bool) []byte {
	dst = append(dst, "GMT"...)
	_, seconds := t.Zone()
	if seconds == 0 {
		return dst
	}
	if full {
		return (offsetStyle{minutes: 2, seconds: 1, colon: true}).printSeconds(dst, seconds)
	}
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	dst = appendPadded(append(dst, sign), seconds/3600, 1)
	if m := seconds / 60 % 60; m != 0 {
		dst = appendPadded(append(dst, ':'), m, 2)
	}
	return dst
}
