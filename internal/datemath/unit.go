package datemath

import "time"

// Unit is a calendar unit.
type Unit uint8

const (
	Second Unit = iota
	Minute
	Hour
	Day
	Week
	Month
	Quarter
	Year
)

// unitOf reads a unit of date math.
func unitOf(c byte) (Unit, bool) {
	switch c {
	case 's':
		return Second, true
	case 'm':
		return Minute, true
	case 'h', 'H':
		return Hour, true
	case 'd':
		return Day, true
	case 'w':
		return Week, true
	case 'M':
		return Month, true
	case 'y':
		return Year, true
	}
	return 0, false
}

// CalendarUnit reads a calendar_interval: minute or 1m, hour or 1h, day, week, month,
// quarter, year.
func CalendarUnit(text string) (Unit, bool) {
	switch text {
	case "second", "1s":
		return Second, true
	case "minute", "1m":
		return Minute, true
	case "hour", "1h":
		return Hour, true
	case "day", "1d":
		return Day, true
	case "week", "1w":
		return Week, true
	case "month", "1M":
		return Month, true
	case "quarter", "1q":
		return Quarter, true
	case "year", "1y":
		return Year, true
	}
	return 0, false
}

// floor is the beginning of the unit that t lies in, in t's zone.
func (u Unit) floor(t time.Time) time.Time {
	y, m, d := t.Date()
	switch u {
	case Second, Minute, Hour:
		size := [...]time.Duration{Second: time.Second, Minute: time.Minute, Hour: time.Hour}[u]
		_, offset := t.Zone()
		shift := time.Duration(offset) * time.Second
		since := time.Duration(t.Nanosecond()) + time.Duration(floorMod(t.Unix(), 86400))*time.Second + shift
		return t.Add(-(((since % size) + size) % size))
	case Week:
		d -= (int(t.Weekday()) + 6) % 7
	case Month:
		d = 1
	case Quarter:
		m, d = m-(m-1)%3, 1
	case Year:
		m, d = 1, 1
	}
	return startOf(y, m, d, t.Location())
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }

// startOf is the first instant of a day: midnight, or where it is skipped, the first one
// after; of two midnights, the first.
func startOf(y int, m time.Month, d int, zone *time.Location) time.Time {
	t := time.Date(y, m, d, 0, 0, 0, 0, zone)
	if t.Hour() != 0 || t.Minute() != 0 {
		// Midnight is in a gap; Go answers with an instant on one side of it.
		_, earlier := t.Add(-24 * time.Hour).Zone()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Add(-time.Duration(earlier) * time.Second).In(zone)
	}
	// Of an overlap the earlier instant.
	for _, back := range []time.Duration{time.Hour, 30 * time.Minute, 2 * time.Hour} {
		if e := t.Add(-back); e.Day() == t.Day() && e.Hour() == 0 && e.Minute() == 0 {
			return e
		}
	}
	return t
}

// add moves t, a beginning of a unit, by n units.
func (u Unit) add(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	switch u {
	case Second:
		return t.Add(time.Duration(n) * time.Second)
	case Minute:
		return t.Add(time.Duration(n) * time.Minute)
	case Hour:
		return t.Add(time.Duration(n) * time.Hour)
	case Day:
		d += n
	case Week:
		d += 7 * n
	case Month:
		m += time.Month(n)
	case Quarter:
		m += time.Month(3 * n)
	case Year:
		y += n
	}
	return startOf(y, m, d, t.Location())
}
