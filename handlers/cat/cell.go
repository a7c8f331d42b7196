package cat

import (
	"cmp"
	"strconv"
	"time"

	"postern/internal/bytesize"
)

// Cell is one value of a table. The zero Cell is empty: null in JSON.
type Cell struct {
	kind cellKind
	text string
	n    int64
}

type cellKind uint8

const (
	emptyCell cellKind = iota
	textCell
	intCell
	sizeCell
	timeCell
)

// Text is a text.
func Text(s string) Cell { return Cell{kind: textCell, text: s} }

// Int is a number, which sorts as one.
func Int(n int64) Cell { return Cell{kind: intCell, n: n} }

// Size is a number of bytes, shown in the unit asked for.
func Size(n int64) Cell { return Cell{kind: sizeCell, n: n} }

// Time is a duration, shown in the unit asked for.
func Time(d time.Duration) Cell { return Cell{kind: timeCell, n: int64(d)} }

func (c Cell) compare(d Cell) int {
	if c.kind == emptyCell || d.kind == emptyCell {
		return cmp.Compare(min(c.kind, 1), min(d.kind, 1))
	}
	if c.kind == textCell {
		return cmp.Compare(c.text, d.text)
	}
	return cmp.Compare(c.n, d.n)
}

func (c Cell) render(opt *Options) string {
	switch c.kind {
	case intCell:
		return strconv.FormatInt(c.n, 10)
	case sizeCell:
		return bytesize.In(c.n, opt.Bytes)
	case timeCell:
		return duration(time.Duration(c.n), opt.Time)
	}
	return c.text
}

var timeUnits = []struct {
	name string
	unit time.Duration
}{
	{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second},
	{"ms", time.Millisecond}, {"micros", time.Microsecond}, {"nanos", time.Nanosecond},
}

// duration shows a time in a unit, cut to a whole, or else with the largest unit that
// it fills, cut to one digit.
func duration(d time.Duration, unit string) string {
	for _, u := range timeUnits {
		if u.name == unit {
			return strconv.FormatInt(int64(d/u.unit), 10)
		}
	}
	for _, u := range timeUnits {
		if d < u.unit {
			continue
		}
		text := strconv.FormatInt(int64(d/u.unit), 10)
		if tenth := d % u.unit * 10 / u.unit; tenth > 0 {
			text += "." + strconv.FormatInt(int64(tenth), 10)
		}
		return text + u.name
	}
	return "0s"
}
