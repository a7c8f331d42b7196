package datemath

import (
	"strings"
	"time"

	"postern/internal/eserr"
)

// field is one of the parts that dates and times are made of.
type field uint8

const (
	year field = iota
	yearOfEra
	era
	monthOfYear
	dayOfMonth
	dayOfYear
	dayOfWeek
	weekBasedYear
	weekOfYear
	weekOfMonth
	quarterOfYear
	hourOfDay
	clockHourOfDay
	hourOfAmPm
	clockHourOfAmPm
	ampmOfDay
	minuteOfHour
	secondOfMinute
	nanoOfSecond
	milliOfDay
	nanoOfDay
	offsetSeconds
	fieldCount
)

// limits are a field's name in messages and its values.
func (k field) limits() (name string, low, high int64, shown string) {
	switch k {
	case year:
		return "Year", -999999999, 999999999, "-999999999 - 999999999"
	case yearOfEra:
		return "YearOfEra", 1, 1000000000, "1 - 999999999/1000000000"
	case era:
		return "Era", 0, 1, "0 - 1"
	case monthOfYear:
		return "MonthOfYear", 1, 12, "1 - 12"
	case dayOfMonth:
		return "DayOfMonth", 1, 31, "1 - 28/31"
	case dayOfYear:
		return "DayOfYear", 1, 366, "1 - 365/366"
	case dayOfWeek:
		return "DayOfWeek", 1, 7, "1 - 7"
	case weekBasedYear:
		return "WeekBasedYear", -999999999, 999999999, "-999999999 - 999999999"
	case weekOfYear:
		return "WeekOfWeekBasedYear", 1, 53, "1 - 52/53"
	case hourOfDay:
		return "HourOfDay", 0, 23, "0 - 23"
	case clockHourOfDay:
		return "ClockHourOfDay", 1, 24, "1 - 24"
	case hourOfAmPm:
		return "HourOfAmPm", 0, 11, "0 - 11"
	case clockHourOfAmPm:
		return "ClockHourOfAmPm", 1, 12, "1 - 12"
	case ampmOfDay:
		return "AmPmOfDay", 0, 1, "0 - 1"
	case minuteOfHour:
		return "MinuteOfHour", 0, 59, "0 - 59"
	case secondOfMinute:
		return "SecondOfMinute", 0, 59, "0 - 59"
	case nanoOfSecond:
		return "NanoOfSecond", 0, 999999999, "0 - 999999999"
	case milliOfDay:
		return "MilliOfDay", 0, 86399999, "0 - 86399999"
	case nanoOfDay:
		return "NanoOfDay", 0, 86399999999999, "0 - 86399999999999"
	}
	return "", -1 << 63, 1<<63 - 1, ""
}

// of is the field's value at a moment.
func (k field) of(i Instant, t time.Time) int64 {
	switch k {
	case year:
		return int64(t.Year())
	case yearOfEra:
		if y := t.Year(); y > 0 {
			return int64(y)
		}
		return int64(1 - t.Year())
	case era:
		if t.Year() > 0 {
			return 1
		}
		return 0
	case monthOfYear:
		return int64(t.Month())
	case dayOfMonth:
		return int64(t.Day())
	case dayOfYear:
		return int64(t.YearDay())
	case dayOfWeek:
		return int64((t.Weekday()+6)%7 + 1)
	case weekBasedYear:
		y, _ := t.ISOWeek()
		return int64(y)
	case weekOfYear:
		_, w := t.ISOWeek()
		return int64(w)
	case weekOfMonth:
		// Weeks begin on Monday; the first has at least four days of the month.
		first := int64((time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).Weekday() + 6) % 7) // 0 is Monday
		w := (int64(t.Day()) + first - 1) / 7
		if first <= 3 {
			w++
		}
		return w
	case quarterOfYear:
		return int64(t.Month()+2) / 3
	case hourOfDay:
		return int64(t.Hour())
	case clockHourOfDay:
		return int64((t.Hour()+23)%24 + 1)
	case hourOfAmPm:
		return int64(t.Hour() % 12)
	case clockHourOfAmPm:
		return int64((t.Hour()+11)%12 + 1)
	case ampmOfDay:
		return int64(t.Hour() / 12)
	case minuteOfHour:
		return int64(t.Minute())
	case secondOfMinute:
		return int64(t.Second())
	case nanoOfSecond:
		return int64(i.Nano)
	case milliOfDay:
		return int64(t.Hour()*3600+t.Minute()*60+t.Second())*1000 + int64(i.Nano)/1e6
	case nanoOfDay:
		return int64(t.Hour()*3600+t.Minute()*60+t.Second())*1e9 + int64(i.Nano)
	}
	return 0
}

// fields are the parts of a date that a text names.
type fields struct {
	has     uint32
	value   [fieldCount]int64
	zone    *time.Location
	instant Instant // of an epoch format, which names nothing else
	whole   bool
	// plain says that there is nothing to merge.
	plain bool
	// open are the nanoseconds that an epoch format leaves open.
	open int32
}

func (f *fields) set(k field) bool { return f.has&(1<<k) != 0 }

// put keeps a field and gives end; two values for one field are a failure at pos.
func (f *fields) put(k field, n int64, pos, end int) int {
	if f.set(k) && f.value[k] != n {
		return ^pos
	}
	f.value[k] = n
	f.has |= 1 << k
	return end
}

func (f *fields) drop(k field) int64 {
	f.has &^= 1 << k
	return f.value[k]
}

func dateTimeException(reason string) *eserr.Error {
	return &eserr.Error{Status: 400, Type: "date_time_exception", Reason: reason}
}

// check refuses a value outside of the field's limits.
func (f *fields) check(k field) *eserr.Error {
	name, low, high, shown := k.limits()
	if n := f.value[k]; f.set(k) && (n < low || n > high) {
		return dateTimeException("Invalid value for " + name + " (valid values " + shown + "): " + itoa(int(n)))
	}
	return nil
}

func (f *fields) checkAll(list ...field) *eserr.Error {
	for _, k := range list {
		if err := f.check(k); err != nil {
			return err
		}
	}
	return nil
}

// merge is what Java does with the fields before Elasticsearch sees them: what belongs together is
// checked and put together.
func (f *fields) merge() *eserr.Error {
	if f.plain || f.whole {
		return nil
	}
	if err := f.mergeYear(); err != nil {
		return err
	}
	if f.set(year) && f.set(monthOfYear) && f.set(dayOfMonth) {
		if err := f.checkAll(year, monthOfYear, dayOfMonth); err != nil {
			return err
		}
		if err := f.realDay(year); err != nil {
			return err
		}
	}
	if f.set(year) && f.set(dayOfYear) {
		if err := f.checkAll(year, dayOfYear); err != nil {
			return err
		}
		if f.value[dayOfYear] == 366 && daysIn(int(f.value[year]), 2) == 28 {
			return dateTimeException("Invalid date 'DayOfYear 366' as '" + itoa(int(f.value[year])) + "' is not a leap year")
		}
	}
	if f.set(weekBasedYear) && f.set(weekOfYear) && f.set(dayOfWeek) {
		if err := f.checkAll(weekBasedYear, dayOfWeek); err != nil {
			return err
		}
		weeks := int64(weeksIn(int(f.value[weekBasedYear])))
		if w := f.value[weekOfYear]; w < 1 || w > weeks {
			return dateTimeException("Invalid value for WeekOfWeekBasedYear (valid values 1 - " + itoa(int(weeks)) + "): " + itoa(int(w)))
		}
	}
	return f.mergeTime()
}

// runOver brings a month or day beyond its last, or before its first, to the date that is
// as far away.
func (f *fields) runOver() {
	month := f.value[monthOfYear] - 1
	y := f.value[year] + floorDiv(month, 12)
	if y < -999999999 || y > 999999999 {
		return
	}
	day := daysFromCivil(int(y), int(floorMod(month, 12))+1, 1) + f.value[dayOfMonth] - 1
	yy, m := civilFromDays(day)
	f.value[year], f.value[monthOfYear] = int64(yy), int64(m)
	f.value[dayOfMonth] = day - daysFromCivil(yy, m, 1) + 1
}

func weeksIn(y int) int {
	_, w := time.Date(y, 12, 28, 0, 0, 0, 0, time.UTC).ISOWeek()
	return w
}

func (f *fields) mergeYear() *eserr.Error {
	if !f.set(yearOfEra) {
		return f.check(era)
	}
	if err := f.checkAll(yearOfEra, era); err != nil {
		return err
	}
	if f.set(era) {
		y := f.drop(yearOfEra)
		if f.drop(era) == 0 {
			y = 1 - y
		}
		f.put(year, y, 0, 0)
	}
	return nil
}

func (f *fields) mergeTime() *eserr.Error {
	if f.set(clockHourOfDay) {
		if err := f.check(clockHourOfDay); err != nil {
			return err
		}
		f.put(hourOfDay, f.drop(clockHourOfDay)%24, 0, 0)
	}
	if f.set(clockHourOfAmPm) {
		if err := f.check(clockHourOfAmPm); err != nil {
			return err
		}
		f.put(hourOfAmPm, f.drop(clockHourOfAmPm)%12, 0, 0)
	}
	if f.set(ampmOfDay) && f.set(hourOfAmPm) {
		if err := f.check(hourOfAmPm); err != nil {
			return err
		}
		f.put(hourOfDay, f.drop(ampmOfDay)*12+f.drop(hourOfAmPm), 0, 0)
	}
	for _, k := range []field{milliOfDay, nanoOfDay} {
		if !f.set(k) {
			continue
		}
		if err := f.check(k); err != nil {
			return err
		}
		n := f.drop(k)
		if k == milliOfDay {
			n *= 1e6
		}
		f.put(hourOfDay, n/3600e9, 0, 0)
		f.put(minuteOfHour, n/60e9%60, 0, 0)
		f.put(secondOfMinute, n/1e9%60, 0, 0)
		f.put(nanoOfSecond, n%1e9, 0, 0)
	}
	return f.checkAll(nanoOfSecond, hourOfDay, minuteOfHour, secondOfMinute, hourOfAmPm, ampmOfDay)
}

// hasTime tells whether the fields make a time of day: an hour, and nothing finer without what stands
// between.
func (f *fields) hasTime() bool {
	m, s, n := f.set(minuteOfHour), f.set(secondOfMinute), f.set(nanoOfSecond)
	return f.set(hourOfDay) && (m || !s && !n) && (s || !n)
}

// realDay checks that the month has the day.
func (f *fields) realDay(y field) *eserr.Error {
	if f.value[dayOfMonth] <= int64(daysIn(int(f.value[y]), int(f.value[monthOfYear]))) {
		return nil
	}
	if f.value[monthOfYear] == 2 && f.value[dayOfMonth] == 29 {
		return dateTimeException("Invalid date 'February 29' as '" + itoa(int(f.value[y])) + "' is not a leap year")
	}
	return dateTimeException("Invalid date '" + strings.ToUpper(time.Month(f.value[monthOfYear]).String()) + " " + itoa(int(f.value[dayOfMonth])) + "'")
}

// ceil fills in what a text leaves open of a time at its end instead of its beginning.
func (f *fields) ceil() {
	if f.whole {
		f.instant.Nano += f.open
		return
	}
	if !f.set(hourOfDay) && !f.set(hourOfAmPm) && !f.set(ampmOfDay) {
		f.put(hourOfDay, 23, 0, 0)
	}
	for _, d := range []struct {
		k field
		n int64
	}{{minuteOfHour, 59}, {secondOfMinute, 59}, {nanoOfSecond, 999_999_999}} {
		if !f.set(d.k) {
			f.put(d.k, d.n, 0, 0)
		}
	}
}

// resolve makes an instant of the fields the way that Elasticsearch completes a date.
func (f *fields) resolve(zone *time.Location) (Instant, *eserr.Error) {
	if f.whole {
		if zone == nil || zone == time.UTC {
			return f.instant, nil
		}
		// A zone moves numbers too: they are taken for the zone's own clock.
		return Instant{atZone(f.instant.Sec, zone), f.instant.Nano}, nil
	}
	if f.zone != nil {
		zone = f.zone
	}
	y, m, d, err := f.date()
	if err != nil {
		return Instant{}, err
	}
	var hour, minute, second, nano int
	if f.hasTime() {
		hour, minute, second, nano = int(f.value[hourOfDay]), int(f.value[minuteOfHour]), int(f.value[secondOfMinute]), int(f.value[nanoOfSecond])
	}
	local := daysFromCivil(y, m, d)*86400 + int64(hour*3600+minute*60+second)
	if f.set(offsetSeconds) {
		return Instant{local - f.value[offsetSeconds], int32(nano)}, nil
	}
	if zone == nil || zone == time.UTC {
		return Instant{local, int32(nano)}, nil
	}
	return Instant{atZone(local, zone), int32(nano)}, nil
}

// atZone is the moment at which a zone's clocks show a local time: of two the earlier, and
// in a gap as many seconds later as the gap is long, as Java has it.
func atZone(local int64, zone *time.Location) int64 {
	offsetAt := func(sec int64) int64 {
		_, o := time.Unix(sec, 0).In(zone).Zone()
		return int64(o)
	}
	before := offsetAt(local - 86400)
	if offsetAt(local-before) == before {
		return local - before
	}
	after := offsetAt(local + 86400)
	if at := local - after; offsetAt(at) == after {
		return at
	}
	return local - before // in the gap
}

// date is the day that the fields name; what is missing of it is the first of its kind, the year 1970.
func (f *fields) date() (y, m, d int, err *eserr.Error) {
	k := year
	if !f.set(year) && f.set(yearOfEra) {
		k = yearOfEra
	}
	hasYear := f.set(k)
	switch {
	case hasYear && f.set(monthOfYear) && f.set(dayOfMonth):
		if err := f.checkAll(k, monthOfYear, dayOfMonth); err != nil {
			return 0, 0, 0, err
		}
		if err := f.realDay(k); err != nil {
			return 0, 0, 0, err
		}
		return int(f.value[k]), int(f.value[monthOfYear]), int(f.value[dayOfMonth]), nil
	case hasYear && f.set(dayOfYear):
		if err := f.checkAll(k, dayOfYear); err != nil {
			return 0, 0, 0, err
		}
		y = int(f.value[k])
		if f.value[dayOfYear] == 366 && daysIn(y, 2) == 28 {
			return 0, 0, 0, dateTimeException("Invalid date 'DayOfYear 366' as '" + itoa(y) + "' is not a leap year")
		}
		at := time.Date(y, 1, int(f.value[dayOfYear]), 0, 0, 0, 0, time.UTC)
		return at.Year(), int(at.Month()), at.Day(), nil
	case f.set(weekBasedYear):
		week, weekday := 1, 1
		if err := f.checkAll(weekBasedYear, weekOfYear); err != nil {
			return 0, 0, 0, err
		}
		if f.set(weekOfYear) {
			week = int(f.value[weekOfYear])
			if f.set(dayOfWeek) {
				weekday = int(f.value[dayOfWeek])
			}
		}
		// ISO 8601: the fourth of January is in week 1; weeks begin on Monday.
		fourth := time.Date(int(f.value[weekBasedYear]), 1, 4, 0, 0, 0, 0, time.UTC)
		at := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7+(week-1)*7+weekday-1)
		return at.Year(), int(at.Month()), at.Day(), nil
	case hasYear || f.set(monthOfYear):
		if err := f.checkAll(k, monthOfYear); err != nil {
			return 0, 0, 0, err
		}
		y, m, d = 1970, 1, 1
		if hasYear {
			y = int(f.value[k])
		}
		if f.set(monthOfYear) {
			m = int(f.value[monthOfYear])
		}
		if f.set(dayOfMonth) && f.set(monthOfYear) {
			f.value[year] = int64(y)
			if err := f.checkAll(dayOfMonth); err != nil {
				return 0, 0, 0, err
			}
			if err := f.realDay(year); err != nil {
				return 0, 0, 0, err
			}
			d = int(f.value[dayOfMonth])
		}
		return y, m, d, nil
	case f.hasTime():
		return 1970, 1, 1, nil
	}
	return 0, 0, 0, eserr.IllegalArgument("temporal accessor [%s] cannot be converted to zoned date time", f.accessor())
}

// accessor is the fields as Java prints them.
func (f *fields) accessor() string {
	var list []string
	for k := field(0); k < offsetSeconds; k++ {
		if f.set(k) {
			name, _, _, _ := k.limits()
			list = append(list, name+"="+itoa(int(f.value[k])))
		}
	}
	return "{" + strings.Join(list, ", ") + "},ISO"
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysFromCivil counts the days since 1970-01-01 in the proleptic Gregorian calendar.
func daysFromCivil(y, m, d int) int64 {
	if m <= 2 {
		y--
	}
	era := floorDiv(int64(y), 400)
	yoe := int64(y) - era*400
	doy := int64((153*((m+9)%12)+2)/5 + d - 1)
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146097 + doe - 719468
}
