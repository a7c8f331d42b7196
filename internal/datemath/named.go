package datemath

import (
	"strings"
	"time"

	"postern/internal/eserr"
)

// layoutOf finds a named format or compiles a pattern of Java's letters.
func layoutOf(name string) (layout, error) {
	switch name {
	case "epoch_millis":
		return epochLayout{millis: true}, nil
	case "epoch_second":
		return epochLayout{}, nil
	case "strict_date_optional_time", "iso8601", "strict_date_optional_time_nanos":
		return isoLayout{nanos: name == "strict_date_optional_time_nanos"}, nil
	case "date_optional_time":
		return lenientISO(), nil
	}
	base, strict := strings.CutPrefix(name, "strict_")
	if l := namedLayout(base, strict); l != nil {
		return l, nil
	}
	l, err := compile(name)
	if err != nil {
		inner, _ := eserr.As(err)
		if inner.Status != 400 {
			return nil, inner
		}
		return nil, eserr.IllegalArgument("Invalid format: [%s]: %s", name, inner.Reason).Cause(inner)
	}
	return l, nil
}

// The ways in which named formats end in a zone: Java's region or offset, or an offset
// without colons.
func zoned(b *builder) [][]element {
	plain := &builder{list: append([]element(nil), b.list...), base: -1}
	return [][]element{
		b.region().list,
		plain.offset(offsetStyle{zero: "Z", minutes: 1}).list,
	}
}

// printZone is how named formats print a zone.
func printZone() element {
	return element{kind: offset, offset: offsetStyle{zero: "Z", minutes: 2, seconds: 1, colon: true}}
}

// shape holds the parts that the named formats are made of, with their numbers' widths.
type shape struct{ strict bool }

// two is a number of two digits, or of one where that is enough.
func (s shape) two(b *builder, f field) *builder {
	if s.strict {
		return b.fixed(f, 2)
	}
	return b.num(f, 1, 2, signNotNegative)
}

// date is a day, whose month and day may be missing when it is read leniently.
func (s shape) date() *builder {
	if s.strict {
		return newBuilder().num(year, 4, 10, signExceedsPad).lit("-").fixed(monthOfYear, 2).lit("-").fixed(dayOfMonth, 2)
	}
	day := s.two(newBuilder().lit("-"), dayOfMonth)
	return newBuilder().num(year, 1, 9, signNormal).opt(s.two(newBuilder().lit("-"), monthOfYear).opt(day))
}

func (s shape) ordinal() *builder {
	if s.strict {
		return newBuilder().num(year, 4, 10, signExceedsPad).lit("-").fixed(dayOfYear, 3)
	}
	return newBuilder().num(year, 4, 10, signExceedsPad).lit("-").num(dayOfYear, 1, 3, signNotNegative)
}

func (s shape) week(day bool) *builder {
	b := newBuilder()
	if s.strict {
		b.num(weekBasedYear, 4, 10, signExceedsPad).lit("-W").fixed(weekOfYear, 2)
	} else {
		b.num(weekBasedYear, 4, 10, signExceedsPad).lit("-W").num(weekOfYear, 1, 2, signNotNegative)
	}
	if day {
		b.lit("-").num(dayOfWeek, 1, 1, signNotNegative)
	}
	return b
}

func (s shape) hm() *builder { return s.two(s.two(newBuilder(), hourOfDay).lit(":"), minuteOfHour) }

func (s shape) hms() *builder { return s.two(s.hm().lit(":"), secondOfMinute) }

func basicDate() *builder {
	return newBuilder().num(year, 4, 10, signNormal).fixed(monthOfYear, 2).fixed(dayOfMonth, 2)
}

func basicOrdinal() *builder {
	return newBuilder().num(year, 4, 10, signExceedsPad).fixed(dayOfYear, 3)
}

func basicWeek() *builder {
	return newBuilder().num(weekBasedYear, 4, 10, signExceedsPad).lit("W").fixed(weekOfYear, 2).num(dayOfWeek, 1, 1, signNotNegative)
}

func basicTime() *builder {
	return newBuilder().fixed(hourOfDay, 2).fixed(minuteOfHour, 2).fixed(secondOfMinute, 2)
}

// namedLayout gives the layout of a named format without its prefix strict_; nil for
// no such name.
func namedLayout(name string, strict bool) layout {
	if basic, ok := strings.CutPrefix(name, "basic_"); ok {
		if strict && !strings.HasPrefix(basic, "week") {
			return nil
		}
		return basicLayout(basic, strict)
	}
	s, out := shape{strict}, shape{true}
	// A name is a date, a time, or both with a T between; what it says of zones and
	// fractions stands at its end. All print in the strict form.
	join := func(date, time *builder) *builder { return date.lit("T").with(time) }
	plain := func(of func(shape) *builder) layout {
		return &patternLayout{printer: of(out).list, readers: [][]element{of(s).list}}
	}
	fraction := func(of func(shape) *builder, print, low, high int) layout {
		l := &patternLayout{printer: of(out).frac(3, print, true).list, readers: [][]element{of(s).frac(low, high, true).list}}
		if strict && strings.HasPrefix(name, "date") {
			l.readers = append(l.readers, l.readers[0])
		}
		return l
	}
	zone := func(of func(shape) *builder, fraction bool) layout {
		print, parse := of(out), of(s)
		if fraction {
			print.frac(3, 9, true)
			parse.frac(1, 9, true)
		}
		return &patternLayout{printer: append(print.list, printZone()), readers: zoned(parse)}
	}
	dateTime := func(s shape) *builder { return join(s.date(), s.hms()) }
	ordinalTime := func(s shape) *builder { return join(s.ordinal(), s.hms()) }
	weekTime := func(s shape) *builder { return join(s.week(true), s.hms()) }
	tTime := func(s shape) *builder { return newBuilder().lit("T").with(s.hms()) }
	switch name {
	case "date":
		return plain(shape.date).(*patternLayout).overflowing(strict)
	case "year_month_day":
		l := plain(shape.date).(*patternLayout)
		if strict {
			day := newBuilder().lit("-").fixed(dayOfMonth, 2)
			l.readers[0] = newBuilder().num(year, 4, 4, signNormal).opt(newBuilder().lit("-").fixed(monthOfYear, 2).opt(day)).list
		} else {
			l.readers[0] = s.two(newBuilder().any(year).lit("-").any(monthOfYear).lit("-"), dayOfMonth).list
		}
		return l
	case "date_hour":
		return plain(func(s shape) *builder { return join(s.date(), s.two(newBuilder(), hourOfDay)) })
	case "date_hour_minute":
		return plain(func(s shape) *builder { return join(s.date(), s.hm()) })
	case "date_hour_minute_second":
		l := plain(dateTime).(*patternLayout)
		if strict {
			l.readers = append(l.readers, l.readers[0])
		}
		return l
	case "date_hour_minute_second_fraction":
		return fraction(dateTime, 9, 1, 9)
	case "date_hour_minute_second_millis":
		if strict {
			return fraction(dateTime, 3, 1, 9)
		}
		return fraction(dateTime, 3, 3, 3)
	case "date_time":
		if strict {
			l := zone(dateTime, false).(*patternLayout)
			l.printer = append(out.date().lit("T").with(out.hms()).frac(3, 9, true).list, printZone())
			l.readers = zoned(dateTime(s).opt(newBuilder().frac(1, 9, true)))
			return l
		}
		return zone(dateTime, true)
	case "date_time_no_millis":
		l := zone(dateTime, false).(*patternLayout)
		if !strict {
			minutes := join(s.date(), s.hm())
			l.readers = append(l.readers, minutes.list)
		}
		return l
	case "hour":
		return plain(func(s shape) *builder { return s.two(newBuilder(), hourOfDay) })
	case "hour_minute":
		return plain(shape.hm)
	case "hour_minute_second":
		return plain(shape.hms)
	case "hour_minute_second_fraction":
		return fraction(shape.hms, 9, 1, 9)
	case "hour_minute_second_millis":
		return fraction(shape.hms, 3, 1, 9)
	case "ordinal_date":
		l := plain(shape.ordinal).(*patternLayout)
		if strict {
			l.readers[0] = newBuilder().num(year, 4, 4, signNormal).lit("-").fixed(dayOfYear, 3).list
		}
		return l
	case "ordinal_date_time":
		return zone(ordinalTime, true)
	case "ordinal_date_time_no_millis":
		return zone(ordinalTime, false)
	case "t_time":
		return zone(tTime, true)
	case "t_time_no_millis":
		return zone(tTime, false)
	case "time":
		return zone(shape.hms, true)
	case "time_no_millis":
		return zone(shape.hms, false)
	case "week_date":
		return plain(func(s shape) *builder { return s.week(true) })
	case "week_date_time":
		return zone(weekTime, true)
	case "week_date_time_no_millis":
		return zone(weekTime, false)
	case "weekyear", "year":
		f := year
		if name == "weekyear" {
			f = weekBasedYear
		}
		if strict {
			b := newBuilder().fixed(f, 4).list
			return &patternLayout{printer: newBuilder().num(f, 4, 10, signExceedsPad).list, readers: [][]element{b, b}}
		}
		b := newBuilder().any(f).list
		return &patternLayout{printer: b, readers: [][]element{b}}
	case "weekyear_week":
		return plain(func(shape) *builder { return out.week(false) })
	case "weekyear_week_day":
		return plain(func(shape) *builder { return out.week(true) })
	case "year_month":
		print := newBuilder().num(year, 4, 10, signExceedsPad).lit("-").fixed(monthOfYear, 2).list
		if strict {
			b := newBuilder().fixed(year, 4).lit("-").fixed(monthOfYear, 2).list
			return &patternLayout{printer: print, readers: [][]element{b, b}}
		}
		return &patternLayout{printer: print, readers: [][]element{newBuilder().any(year).lit("-").any(monthOfYear).list}}
	}
	return nil
}

func basicLayout(name string, strict bool) layout {
	plain := func(print, parse *builder) layout {
		return &patternLayout{printer: print.list, readers: [][]element{parse.list}}
	}
	both := func(name string, of func() *builder) layout {
		if strings.HasSuffix(name, "_no_millis") {
			return &patternLayout{printer: append(of().list, printZone()), readers: zoned(of())}
		}
		return &patternLayout{printer: append(of().frac(3, 9, true).list, printZone()), readers: zoned(of().frac(1, 9, true))}
	}
	switch name {
	case "date":
		return plain(basicDate(), newBuilder().num(year, 1, 4, signNormal).num(monthOfYear, 1, 2, signNotNegative).num(dayOfMonth, 1, 2, signNotNegative))
	case "date_time", "date_time_no_millis":
		return both(name, func() *builder { return basicDate().lit("T").with(basicTime()) })
	case "ordinal_date":
		return plain(basicOrdinal(), basicOrdinal())
	case "ordinal_date_time", "ordinal_date_time_no_millis":
		return both(name, func() *builder { return basicOrdinal().lit("T").with(basicTime()) })
	case "time", "time_no_millis":
		return both(name, basicTime)
	case "t_time", "t_time_no_millis":
		return both(name, func() *builder { return newBuilder().lit("T").with(basicTime()) })
	case "week_date":
		if strict {
			return plain(basicWeek(), newBuilder().fixed(weekBasedYear, 4).lit("W").fixed(weekOfYear, 2).num(dayOfWeek, 1, 1, signNotNegative))
		}
		return plain(basicWeek(), newBuilder().any(weekBasedYear).lit("W").num(weekOfYear, 1, 2, signNotNegative).num(dayOfWeek, 1, 1, signNotNegative))
	case "week_date_time", "week_date_time_no_millis":
		return both(name, func() *builder { return basicWeek().lit("T").with(basicTime()) })
	}
	return nil
}

// lenientISO is date_optional_time.
func lenientISO() layout {
	s := shape{}
	zone := newBuilder().
		opt(newBuilder().region()).
		opt(newBuilder().offset(offsetStyle{zero: "Z", minutes: 1}))
	seconds := newBuilder().opt(s.two(newBuilder().lit(":"), secondOfMinute)).
		opt(newBuilder().frac(1, 9, true)).
		opt(newBuilder().lit(",").frac(1, 9, false))
	minutes := s.two(newBuilder().lit(":"), minuteOfHour).with(seconds)
	time := newBuilder().lit("T").opt(s.two(newBuilder(), hourOfDay).opt(minutes).with(zone))
	day := s.two(newBuilder().lit("-"), dayOfMonth)
	date := newBuilder().num(year, 1, 9, signNormal).opt(s.two(newBuilder().lit("-"), monthOfYear).opt(day))
	return &lenientLayout{patternLayout{nil, [][]element{date.opt(time).list}, false}}
}

// lenientLayout prints as the strict format does.
type lenientLayout struct{ patternLayout }

func (l *lenientLayout) print(dst []byte, i Instant, zone *time.Location) []byte {
	return isoLayout{}.print(dst, i, zone)
}
