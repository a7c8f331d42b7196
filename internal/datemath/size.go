package datemath

import "postern/internal/eserr"

// months is how many months a unit has; 0 for a unit of fixed length.
func (u Unit) months() float64 {
	switch u {
	case Month:
		return 1
	case Quarter:
		return 3
	case Year:
		return 12
	}
	return 0
}

func (u Unit) millis() float64 {
	switch u {
	case Second:
		return 1000
	case Minute:
		return 60_000
	case Hour:
		return 3_600_000
	case Day:
		return 86_400_000
	}
	return 604_800_000 // a week
}

func (u Unit) name() string {
	return [...]string{"second", "minute", "hour", "day", "week", "month", "quarter", "year"}[u]
}

// Divisible says why the intervals can't be measured in a unit, nothing if they can: only
// months have a number of months.
func (r *Rounding) Divisible(u Unit) error {
	switch {
	case u.months() == 0 || r.interval == 0 && r.unit.months() > 0:
		return nil
	case r.interval > 0:
		return eserr.IllegalArgument("Cannot use month-based rate unit [%s] with fixed interval based histogram, only week, day, hour, minute and second are supported for this histogram", u.name())
	}
	return eserr.IllegalArgument("Cannot use month-based rate unit [%s] with non-month based calendar interval histogram [%s] only week, day, hour, minute and second are supported for this histogram", u.name(), r.unit.name())
}

// Size is how many of a unit the interval has that begins at a moment, in milliseconds.
func (r *Rounding) Size(begin int64, u Unit) float64 {
	switch {
	case r.interval > 0:
		return float64(r.interval) / u.millis()
	case u.months() > 0:
		return r.unit.months() / u.months()
	case r.unit.months() > 0:
		return float64(r.Next(begin)-begin) / u.millis()
	}
	return r.unit.millis() / u.millis()
}
