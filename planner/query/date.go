package query

import (
	"errors"
	"math"
	"strings"
	"time"

	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// dateBound is one end of a range of dates.
type dateBound struct {
	value     jsonx.Value
	inclusive bool
}

// dateRange resolves bounds with date math: what a bound leaves open is filled so that
// the range covers all of a day, a month or a year that it names.
func (c *Context) dateRange(f *mapping.Field, lo, hi dateBound, format *string, zone *time.Location) (Node, *eserr.Error) {
	r := &longRange{f.Name, math.MinInt64, math.MaxInt64}
	layout := f.Format
	if format != nil {
		var err error
		if layout, err = datemath.ParseFormat(*format); err != nil {
			return nil, asError(err)
		}
	}
	loc := time.UTC
	if zone != nil {
		loc = zone
	}
	if given(lo.value) {
		v, err := c.instant(f, layout, lo.value.Text(), !lo.inclusive, loc)
		if err != nil {
			return nil, err
		}
		if !lo.inclusive {
			if v == math.MaxInt64 {
				return matchNone{}, nil
			}
			v++
		}
		r.lo = v
	}
	if given(hi.value) {
		v, err := c.instant(f, layout, hi.value.Text(), hi.inclusive, loc)
		if err != nil {
			return nil, err
		}
		if !hi.inclusive {
			if v == math.MinInt64 {
				return matchNone{}, nil
			}
			v--
		}
		r.hi = v
	}
	if r.lo > r.hi {
		return matchNone{}, nil
	}
	return r, nil
}

// instant resolves one date in the field's resolution.
func (c *Context) instant(f *mapping.Field, layout *datemath.Format, text string, roundUp bool, loc *time.Location) (int64, *eserr.Error) {
	if strings.HasPrefix(text, "now") && !strings.Contains(text, "/") {
		c.UsedNow = true
	}
	at, err := layout.ParseMath(text, c.Now, roundUp, loc)
	if err != nil {
		return 0, asError(err)
	}
	if f.Type == "date_nanos" {
		return at.ClampedNanos(), nil
	}
	return at.Millis(), nil
}

// asError is err as an error for the client.
func asError(err error) *eserr.Error {
	var e *eserr.Error
	if errors.As(err, &e) {
		return e
	}
	return eserr.IllegalArgument("%s", err.Error())
}
