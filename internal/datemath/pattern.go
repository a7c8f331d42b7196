package datemath

import (
	"strings"

	"postern/internal/eserr"
)

// builder puts elements together as Java's DateTimeFormatterBuilder does: numbers that
// stand side by side share their digits out.
type builder struct {
	list []element
	// base is the number that takes what the fixed ones behind it leave; -1 for none.
	base int
}

func newBuilder() *builder { return &builder{base: -1} }

func (b *builder) add(e element) *builder {
	b.list = append(b.list, e)
	b.base = -1
	return b
}

func (b *builder) lit(s string) *builder { return b.add(element{kind: literal, text: s}) }

// num appends a number of between min and max digits.
func (b *builder) num(f field, min, max int, sign signStyle) *builder {
	return b.value(element{kind: number, field: f, min: min, max: max, sign: sign})
}

// fixed appends a number of exactly width digits.
func (b *builder) fixed(f field, width int) *builder { return b.num(f, width, width, signNotNegative) }

// any appends a number of any length.
func (b *builder) any(f field) *builder { return b.num(f, 1, 19, signNormal) }

func (b *builder) value(e element) *builder {
	if b.base < 0 {
		b.list = append(b.list, e)
		b.base = len(b.list) - 1
		return b
	}
	base := b.base
	if e.min == e.max && (e.sign == signNotNegative || e.kind != number) {
		b.list[base].after += e.max
		e.fixed = true
		b.list = append(b.list, e)
		return b
	}
	b.list = append(b.list, e)
	b.base = len(b.list) - 1
	return b
}

// frac appends the fraction of a second.
func (b *builder) frac(min, max int, point bool) *builder {
	e := element{kind: fraction, field: nanoOfSecond, min: min, max: max, point: point}
	if min == max && !point {
		return b.value(e)
	}
	return b.add(e)
}

func (b *builder) name(f field, style nameStyle) *builder {
	return b.add(element{kind: name, field: f, names: style})
}

func (b *builder) offset(o offsetStyle) *builder { return b.add(element{kind: offset, offset: o}) }

func (b *builder) region() *builder { return b.add(element{kind: region}) }

// opt appends a section that may be missing.
func (b *builder) opt(section *builder) *builder {
	return b.add(element{kind: optional, section: section.list})
}

// with appends the elements of another.
func (b *builder) with(other *builder) *builder {
	b.list = append(b.list, other.list...)
	b.base = -1
	return b
}

// patternLayout is a compiled format: the elements that print, and the alternatives that
// read.
type patternLayout struct {
	printer []element
	readers [][]element
	// overflow lets months and days beyond their last run over into the next ones.
	overflow bool
}

// overflowing is the layout with overflow switched on or off.
func (l *patternLayout) overflowing(on bool) *patternLayout {
	l.overflow = on
	return l
}

// compile reads a pattern of Java's letters.
func compile(pattern string) (*patternLayout, error) {
	b, rest, err := compileSection(pattern, pattern, 0)
	if err != nil {
		return nil, err
	}
	if rest != "" {
		return nil, eserr.IllegalArgument("Pattern invalid as it contains ] without previous [")
	}
	return &patternLayout{printer: b.list, readers: [][]element{b.list}}, nil
}

const maxSections = 64

func compileSection(p, whole string, depth int) (b *builder, rest string, err error) {
	b = newBuilder()
	if depth > maxSections {
		return nil, "", eserr.IllegalArgument("Pattern has too many optional sections")
	}
	for p != "" {
		c := p[0]
		switch {
		case c == ']':
			return b, p, nil
		case c == '[':
			inner, after, err := compileSection(p[1:], whole, depth+1)
			if err != nil {
				return nil, "", err
			}
			b.opt(inner)
			p = strings.TrimPrefix(after, "]")
		case c == '\'':
			text, after, ok := quoted(p)
			if !ok {
				return nil, "", eserr.IllegalArgument("Pattern ends with an incomplete string literal: %s", whole)
			}
			b.lit(text)
			p = after
		case c == '{' || c == '}' || c == '#':
			return nil, "", eserr.IllegalArgument("Pattern includes reserved character: '%c'", c)
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			n := 1
			for n < len(p) && p[n] == c {
				n++
			}
			if err := b.letter(c, n, whole); err != nil {
				return nil, "", err
			}
			p = p[n:]
		default:
			b.lit(p[:1])
			p = p[1:]
		}
	}
	return b, "", nil
}

// quoted reads a literal in single quotes; two quotes are one.
func quoted(p string) (text, rest string, ok bool) {
	var out []byte
	for i := 1; i < len(p); i++ {
		if p[i] != '\'' {
			out = append(out, p[i])
			continue
		}
		if i+1 < len(p) && p[i+1] == '\'' && i > 1 {
			out = append(out, '\'')
			i++
			continue
		}
		if len(out) == 0 {
			out = append(out, '\'')
		}
		return string(out), p[i+1:], true
	}
	return "", "", false
}

// letter appends what n times the letter c stand for.
func (b *builder) letter(c byte, n int, whole string) error {
	tooMany := func(most int) error {
		if n > most {
			return eserr.IllegalArgument("Too many pattern letters: %c", c)
		}
		return nil
	}
	small := func(f field) error {
		if n == 1 {
			b.any(f)
		} else {
			b.fixed(f, n)
		}
		return tooMany(2)
	}
	style := func() nameStyle {
		switch n {
		case 4:
			return fullName
		case 5:
			return narrowName
		}
		return shortName
	}
	switch c {
	case 'u', 'y', 'Y':
		f := map[byte]field{'u': year, 'y': yearOfEra, 'Y': weekBasedYear}[c]
		switch {
		case n == 2:
			b.value(element{kind: reduced, field: f, min: 2, max: 2})
		case n > 19:
			return eserr.IllegalArgument("The minimum width must be from 1 to 19 inclusive but was %d", n)
		case n < 4:
			b.num(f, n, 19, signNormal)
		default:
			b.num(f, n, 19, signExceedsPad)
		}
		return nil
	case 'M', 'L', 'Q', 'q':
		f := monthOfYear
		if c == 'Q' || c == 'q' {
			f = quarterOfYear
		}
		if n <= 2 {
			return small(f)
		}
		b.name(f, style())
		return tooMany(5)
	case 'E':
		b.name(dayOfWeek, style())
		return tooMany(5)
	case 'e', 'c':
		switch {
		case c == 'c' && n == 2:
			return eserr.IllegalArgument("Invalid pattern \"cc\"")
		case n <= 2:
			b.num(dayOfWeek, n, 2, signNotNegative)
		default:
			b.name(dayOfWeek, style())
		}
		return tooMany(5)
	case 'a':
		b.name(ampmOfDay, shortName)
		return tooMany(1)
	case 'G':
		b.name(era, style())
		return tooMany(5)
	case 'S':
		if n > 9 {
			return eserr.IllegalArgument("Minimum width must be from 0 to 9 inclusive but was %d", n)
		}
		b.frac(n, n, false)
		return nil
	case 'd':
		return small(dayOfMonth)
	case 'h':
		return small(clockHourOfAmPm)
	case 'H':
		return small(hourOfDay)
	case 'k':
		return small(clockHourOfDay)
	case 'K':
		return small(hourOfAmPm)
	case 'm':
		return small(minuteOfHour)
	case 's':
		return small(secondOfMinute)
	case 'D':
		if n == 1 {
			b.any(dayOfYear)
		} else {
			b.num(dayOfYear, n, 3, signNotNegative)
		}
		return tooMany(3)
	case 'w':
		b.num(weekOfYear, n, 2, signNotNegative)
		return tooMany(2)
	case 'W':
		b.num(weekOfMonth, n, n, signNotNegative)
		return tooMany(1)
	case 'A', 'n', 'N':
		f := map[byte]field{'A': milliOfDay, 'n': nanoOfSecond, 'N': nanoOfDay}[c]
		if n > 19 {
			return eserr.IllegalArgument("The minimum width must be from 1 to 19 inclusive but was %d", n)
		}
		b.num(f, n, 19, signNotNegative)
		return nil
	case 'F', 'g', 'v', 'B':
		return eserr.Refused("the letter [%c] of the date format [%s] is not supported", c, whole)
	case 'p':
		return eserr.IllegalArgument("Pad letter 'p' must be followed by valid pad pattern: %s", whole)
	}
	return b.zoneLetter(c, n)
}

func (b *builder) zoneLetter(c byte, n int) error {
	tooMany := func(most int) error {
		if n > most {
			return eserr.IllegalArgument("Too many pattern letters: %c", c)
		}
		return nil
	}
	switch c {
	case 'V':
		if n != 2 {
			return eserr.IllegalArgument("Pattern letter count must be 2: %c", c)
		}
		b.region()
		return nil
	case 'z':
		b.add(element{kind: zoneText, max: n})
		return tooMany(4)
	case 'O':
		if n != 1 && n != 4 {
			return eserr.IllegalArgument("Pattern letter count must be 1 or 4: %c", c)
		}
		b.add(element{kind: localOffset, max: n})
		return nil
	case 'X', 'x':
		o := offsetStyle{zero: "Z", minutes: 2, colon: n == 3 || n == 5}
		if n == 1 {
			o.minutes = 1
		}
		if n > 3 {
			o.seconds = 1
		}
		if c == 'x' {
			switch {
			case n == 1:
				o.zero = "+00"
			case n%2 == 0:
				o.zero = "+0000"
			default:
				o.zero = "+00:00"
			}
		}
		b.offset(o)
		return tooMany(5)
	case 'Z':
		switch {
		case n < 4:
			b.offset(offsetStyle{zero: "+0000", minutes: 2})
		case n == 4:
			b.add(element{kind: localOffset, max: 4})
		default:
			b.offset(offsetStyle{zero: "Z", minutes: 2, seconds: 1, colon: true})
		}
		return tooMany(5)
	}
	return eserr.IllegalArgument("Unknown pattern letter: %c", c)
}
