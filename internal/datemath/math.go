package datemath

import (
	"strconv"
	"strings"
	"time"

	"postern/internal/eserr"
)

// ParseMath reads a date with date math: an anchor, which is now or a date followed by
// ||, and operations such as +1d, -3M and /M. With roundUp, parts that the text leaves
// open and rounding go to the last millisecond instead of the first. zone is where a date
// without a zone lies and where days begin.
func (f *Format) ParseMath(text string, now time.Time, roundUp bool, zone *time.Location) (Instant, error) {
	if zone == nil {
		zone = time.UTC
	}
	var at time.Time
	var operations string
	if rest, ok := strings.CutPrefix(text, "now"); ok {
		at, operations = now.Truncate(time.Millisecond), rest
	} else {
		date, math, found := strings.Cut(text, "||")
		i, err := f.read(date, zone, roundUp && !found)
		if err != nil {
			e, _ := eserr.As(err)
			if e.Type == "date_time_exception" || e.Reason == "cannot parse empty datetime" {
				return Instant{}, e
			}
			return Instant{}, parseError("failed to parse date field [%s] with format [%s]: [%s]", date, f.text, e.Reason).Cause(e)
		}
		if !found {
			return i, nil
		}
		at, operations = i.in(zone), math
	}
	return operate(at, operations, roundUp, zone)
}

func parseError(format string, a ...any) *eserr.Error {
	e := eserr.IllegalArgument(format, a...)
	e.Type = "parse_exception"
	return e
}

func operate(at time.Time, math string, roundUp bool, zone *time.Location) (Instant, error) {
	at = at.In(zone)
	for i := 0; i < len(math); {
		c := math[i]
		i++
		round, sign := c == '/', 1
		switch c {
		case '/', '+':
		case '-':
			sign = -1
		default:
			return Instant{}, parseError("operator not supported for date math [%s]", math)
		}
		if i >= len(math) {
			return Instant{}, parseError("truncated date math [%s]", math)
		}
		n := 1
		if math[i] >= '0' && math[i] <= '9' {
			var end int
			for end = i; end < len(math) && math[end] >= '0' && math[end] <= '9'; end++ {
			}
			whole, err := strconv.ParseInt(math[i:end], 10, 32)
			if err != nil {
				return Instant{}, eserr.NumberFormat("For input string: \"" + math[i:end] + "\"")
			}
			n = int(whole)
			if end >= len(math) {
				return Instant{}, parseError("truncated date math [%s]", math)
			}
			i = end
		}
		if round && n != 1 {
			return Instant{}, parseError("rounding `/` can only be used on single unit types [%s]", math)
		}
		unit := math[i]
		i++
		if round {
			u, ok := unitOf(unit)
			if !ok {
				return Instant{}, parseError("unit [%c] not supported for date math [%s]", unit, math)
			}
			at = u.floor(at)
			if roundUp {
				at = u.add(at, 1).Add(-time.Millisecond)
			}
			continue
		}
		switch n *= sign; unit {
		case 'y':
			at = addMonths(at, 12*n)
		case 'M':
			at = addMonths(at, n)
		case 'w':
			at = at.AddDate(0, 0, 7*n)
		case 'd':
			at = at.AddDate(0, 0, n)
		case 'h', 'H':
			at = at.Add(time.Duration(n) * time.Hour)
		case 'm':
			at = at.Add(time.Duration(n) * time.Minute)
		case 's':
			at = at.Add(time.Duration(n) * time.Second)
		default:
			return Instant{}, parseError("unit [%c] not supported for date math [%s]", unit, math)
		}
	}
	return instantOf(at), nil
}

// addMonths keeps the day within the target month: 31 January plus a month is the end of
// February.
func addMonths(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	month := int(m) - 1 + n
	year := y + int(floorDiv(int64(month), 12))
	month = int(int64(month)-floorDiv(int64(month), 12)*12) + 1
	d = min(d, daysIn(year, month))
	return time.Date(year, time.Month(month), d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
}
