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
		return floorTime(t, [...]time.Duration{Second: time.Second, Minute: time.Minute, Hour: time.Hour}[u])
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

// floorTime rounds the local time down. Where the clocks jumped since then, the
// interval is that in which they did.
func floorTime(t time.Time, size time.Duration) time.Time {
	for {
		_, offset := t.Zone()
		since := time.Duration(t.Nanosecond()) + time.Duration(floorMod(t.Unix()+int64(offset), 86400))*time.Second
		floor := t.Add(-(since % size))
		start, _ := t.ZoneBounds()
		if start.IsZero() || !start.After(floor) {
			return floor
		}
		t = start.Add(-time.Millisecond)
	}
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }

// startOf is the first instant of a day: of two midnights the first; where midnight is
// skipped, the moment at which the clocks jump.
func startOf(y int, m time.Month, d int, zone *time.Location) time.Time {
	local := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	if zone == time.UTC {
		return local
	}
	// No offset is beyond a day, so what holds two days earlier holds before midnight.
	for t := local.Add(-48 * time.Hour).In(zone); ; {
		_, offset := t.Zone()
		_, end := t.ZoneBounds()
		at := local.Add(-time.Duration(offset) * time.Second).In(zone)
		switch {
		case at.Before(t):
			return t
		case end.IsZero() || at.Before(end):
			return at
		}
		t = end
	}
}

// add moves t, a beginning of a unit, by n units.
func (u Unit) add(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	switch u {
	case Second:
		return u.addTime(t, time.Duration(n)*time.Second)
	case Minute:
		return u.addTime(t, time.Duration(n)*time.Minute)
	case Hour:
		return u.addTime(t, time.Duration(n)*time.Hour)
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

// addTime goes to the beginning of the interval that lies by away, or, where the clocks
// were put back, of the next one that is not t's own.
func (u Unit) addTime(t time.Time, by time.Duration) time.Time {
	for step := by; ; step += by {
		if at := u.floor(t.Add(step)); !at.Equal(t) || by == 0 {
			return at
		}
	}
}
