package planner

import "strings"

// decimalFormat is a plain pattern of Java's DecimalFormat: digits of the integer part,
// perhaps in groups, and digits behind the point.
type decimalFormat struct {
	whole       int // least digits before the point
	least, most int // digits behind it
	group       int // 0: no groups
}

// parseDecimal reads patterns made of #, 0, commas and one point.
func parseDecimal(pattern string) (*decimalFormat, bool) {
	whole, fraction, _ := strings.Cut(pattern, ".")
	f := &decimalFormat{most: len(fraction)}
	if i := strings.LastIndexByte(whole, ','); i >= 0 {
		f.group = len(whole) - i - 1
		whole = strings.ReplaceAll(whole, ",", "")
	}
	f.whole = len(strings.TrimLeft(whole, "#"))
	if !strings.Contains(pattern, "0") && whole != "" && fraction != "" {
		f.whole = 1 // as if the last # were a 0
	}
	f.least = len(strings.TrimRight(fraction, "#"))
	plain := strings.Trim(strings.TrimLeft(whole, "#"), "0") == "" && strings.Trim(strings.TrimRight(fraction, "#"), "0") == ""
	return f, plain && pattern != "" && pattern != "."
}

// format lays out a number, given as text with no more digits behind the point than the
// pattern takes.
func (f *decimalFormat) format(text string) string {
	text, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(text, ".")
	whole = strings.TrimLeft(whole, "0")
	for len(whole) < f.whole {
		whole = "0" + whole
	}
	for len(fraction) > f.least && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	for len(fraction) < f.least {
		fraction += "0"
	}
	if f.group > 0 {
		for i := len(whole) - f.group; i > 0; i -= f.group {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if whole == "" && fraction == "" {
		whole = "0"
	}
	if negative && strings.Trim(whole+fraction, "0,") != "" {
		whole = "-" + whole
	}
	if fraction != "" {
		return whole + "." + fraction
	}
	return whole
}
