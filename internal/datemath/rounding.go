package datemath

import "time"

// Rounding rounds milliseconds down to the beginning of their interval, as date_histogram
// does. It is immutable.
type Rounding struct {
	unit     Unit
	interval int64 // milliseconds; 0 for a calendar unit
	offset   int64 // milliseconds that intervals begin late
	zone     *time.Location
	// fixed is the offset of a zone without transitions, in milliseconds.
	fixed   int64
	isFixed bool
}

// Calendar rounds to a calendar unit in a zone.
func Calendar(u Unit, zone *time.Location, offset int64) *Rounding {
	return newRounding(Rounding{unit: u, zone: zone, offset: offset})
}

// Fixed rounds to multiples of an interval in milliseconds, counted in the zone's local
// time.
func Fixed(interval int64, zone *time.Location, offset int64) *Rounding {
	return newRounding(Rounding{interval: interval, zone: zone, offset: offset})
}

func newRounding(r Rounding) *Rounding {
	if r.zone == nil {
		r.zone = time.UTC
	}
	_, a := time.Date(2001, 1, 1, 0, 0, 0, 0, r.zone).Zone()
	r.isFixed = r.zone == time.UTC
	if !r.isFixed {
		// A zone of one offset has no transition ahead of any of these.
		r.isFixed = true
		for y := 1850; y < 2100 && r.isFixed; y++ {
			for m := time.January; m <= time.December; m += 2 {
				if _, o := time.Date(y, m, 1, 0, 0, 0, 0, r.zone).Zone(); o != a {
					r.isFixed = false
					break
				}
			}
		}
	}
	r.fixed = int64(a) * 1000
	return &r
}

// Round is the beginning of the interval that ms lies in.
func (r *Rounding) Round(ms int64) int64 {
	return r.round(ms-r.offset) + r.offset
}

// Next is the beginning of the interval after the one that begins at ms.
func (r *Rounding) Next(ms int64) int64 {
	ms -= r.offset
	if r.interval > 0 {
		if r.isFixed {
			return ms + r.interval + r.offset
		}
		// The next local multiple; a transition may shorten or lengthen the interval.
		next := r.round(ms + r.interval)
		for step := r.interval; next <= ms; step += max(r.interval/2, 1) {
			next = r.round(ms + r.interval + step)
		}
		return next + r.offset
	}
	next := r.unit.add(FromMillis(ms).in(r.zone), 1)
	return next.UnixMilli() + r.offset
}

func (r *Rounding) round(ms int64) int64 {
	if r.isFixed {
		local := ms + r.fixed
		switch {
		case r.interval > 0:
			return local - floorMod(local, r.interval) - r.fixed
		case r.unit == Second:
			return local - floorMod(local, 1000) - r.fixed
		case r.unit == Minute:
			return local - floorMod(local, 60_000) - r.fixed
		case r.unit == Hour:
			return local - floorMod(local, 3_600_000) - r.fixed
		case r.unit == Day:
			return local - floorMod(local, 86_400_000) - r.fixed
		case r.unit == Week:
			// 1970-01-01 was a Thursday.
			return local - floorMod(local+3*86_400_000, 7*86_400_000) - r.fixed
		}
		days := floorDiv(local, 86_400_000)
		y, m := civilFromDays(days)
		switch r.unit {
		case Quarter:
			m -= (m - 1) % 3
		case Year:
			m = 1
		}
		return daysFromCivil(y, m, 1)*86_400_000 - r.fixed
	}
	if r.interval > 0 {
		return r.roundFixedInZone(ms)
	}
	return r.unit.floor(FromMillis(ms).in(r.zone)).UnixMilli()
}

func (r *Rounding) offsetAt(ms int64) int64 {
	_, seconds := FromMillis(ms).in(r.zone).Zone()
	return int64(seconds) * 1000
}

// roundFixedInZone floors the local time and brings it back with the offset that holds
// there; where that lies in another offset the later of the two readings not after ms.
func (r *Rounding) roundFixedInZone(ms int64) int64 {
	offset := r.offsetAt(ms)
	local := ms + offset
	floor := local - floorMod(local, r.interval)
	at := floor - offset
	if there := r.offsetAt(at); there != offset {
		if other := floor - there; other <= ms {
			return other
		}
	}
	return at
}

// civilFromDays is the year and month of a day counted from 1970-01-01.
func civilFromDays(z int64) (year, month int) {
	z += 719468
	era := floorDiv(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	y := yoe + era*400
	m := mp + 3
	if m > 12 {
		m -= 12
		y++
	}
	return int(y), int(m)
}
