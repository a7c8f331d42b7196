package datemath

import (
	"strings"
	"time"

	"postern/internal/eserr"
)

// fields are the parts of a date that a text names.
type fields struct {
	has                              uint32
	year, month, day, dayOfYear      int
	weekYear, week, weekday          int
	hour, half, minute, second, nano int
	afternoon                        bool
	offset                           int // seconds east of UTC
	zone                             *time.Location
	instant                          Instant
	milliOfDay                       int
}

const (
	hasYear = 1 << iota
	hasMonth
	hasDay
	hasDayOfYear
	hasWeekYear
	hasWeek
	hasWeekday
	hasHour
	hasHalf
	hasMinute
	hasSecond
	hasNano
	hasOffset
	hasInstant
	hasMilliOfDay
)

func (f *fields) set(flag uint32) bool { return f.has&flag != 0 }

// resolve makes an instant of the fields. With roundUp the hours and below that the text
// leaves open are at their end; months and days are at their first in both cases.
func (f *fields) resolve(zone *time.Location, roundUp bool) (Instant, error) {
	if f.set(hasInstant) {
		return f.instant, nil
	}
	year, month, day := 1970, 1, 1
	switch {
	case f.set(hasWeekYear):
		week, weekday := 1, 1
		if f.set(hasWeek) {
			week = f.week
		}
		if f.set(hasWeekday) {
			weekday = f.weekday
		}
		// ISO 8601: the fourth of January is in week 1; weeks begin on Monday.
		fourth := time.Date(f.weekYear, 1, 4, 0, 0, 0, 0, time.UTC)
		monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
		at := monday.AddDate(0, 0, (week-1)*7+weekday-1)
		year, month, day = at.Year(), int(at.Month()), at.Day()
	case f.set(hasDayOfYear):
		at := time.Date(f.year, 1, f.dayOfYear, 0, 0, 0, 0, time.UTC)
		if at.Year() != f.year {
			return Instant{}, &eserr.Error{Status: 400, Type: "date_time_exception", Reason: "Invalid date 'DayOfYear 366' as '" + itoa(f.year) + "' is not a leap year"}
		}
		year, month, day = f.year, int(at.Month()), at.Day()
	default:
		if f.set(hasYear) {
			year = f.year
		}
		if f.set(hasMonth) {
			month = f.month
		}
		if f.set(hasDay) {
			day = f.day
		}
	}
	if last := daysIn(year, month); day > last {
		reason := "Invalid date '" + strings.ToUpper(time.Month(month).String()) + " " + itoa(day) + "'"
		if month == 2 && day == 29 {
			reason = "Invalid date 'February 29' as '" + itoa(year) + "' is not a leap year"
		}
		return Instant{}, &eserr.Error{Status: 400, Type: "date_time_exception", Reason: reason}
	}
	hour, minute, second, nano := 0, 0, 0, 0
	if roundUp {
		hour, minute, second, nano = 23, 59, 59, 999_999_999
	}
	switch {
	case f.set(hasMilliOfDay):
		hour, minute, second, nano = f.milliOfDay/3_600_000, f.milliOfDay/60_000%60, f.milliOfDay/1000%60, f.milliOfDay%1000*1e6
	case f.set(hasHour):
		hour = f.hour
	case f.set(hasHalf):
		hour = f.half % 12
		if f.afternoon {
			hour += 12
		}
	}
	if f.set(hasMinute) {
		minute = f.minute
	}
	if f.set(hasSecond) {
		second = f.second
	}
	if f.set(hasNano) {
		nano = f.nano
	}
	switch {
	case f.set(hasOffset):
		sec := daysFromCivil(year, month, day)*86400 + int64(hour*3600+minute*60+second-f.offset)
		return Instant{sec, int32(nano)}, nil
	case f.zone != nil:
		zone = f.zone
	}
	if zone == nil || zone == time.UTC {
		return Instant{daysFromCivil(year, month, day)*86400 + int64(hour*3600+minute*60+second), int32(nano)}, nil
	}
	return instantOf(time.Date(year, time.Month(month), day, hour, minute, second, nano, zone)), nil
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
