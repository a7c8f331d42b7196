// Package bytesize writes numbers of bytes as Elasticsearch does.
package bytesize

import "strconv"

var units = []string{"b", "kb", "mb", "gb", "tb", "pb"}

// Text is the number with the largest unit that it fills, cut (not rounded) to one
// digit: 227b, 1.2kb, 100mb.
func Text(n int64) string {
	unit, div := 0, int64(1)
	for unit+1 < len(units) && n >= div<<10 {
		unit, div = unit+1, div<<10
	}
	text := strconv.FormatInt(n/div, 10)
	if tenth := n % div * 10 / div; tenth > 0 {
		text += "." + strconv.FormatInt(tenth, 10)
	}
	return text + units[unit]
}

// In is the number in one unit (b, kb or k, mb or m, …), cut to a whole; for another
// word it is Text.
func In(n int64, unit string) string {
	div := int64(1)
	for _, u := range units {
		if u == unit || len(unit) == 1 && u[:1] == unit {
			return strconv.FormatInt(n/div, 10)
		}
		div <<= 10
	}
	return Text(n)
}
