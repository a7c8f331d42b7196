package mapping

import (
	"math"
	"strconv"
	"strings"
	"unsafe"

	"postern/internal/eserr"
)

// bytesText is bytes as a string that shares their memory.
func bytesText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func javaTrim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}

// parseJavaDouble is Java's Double.parseDouble: blanks around, a suffix d or f, and
// NaN and Infinity in just that spelling are taken.
func parseJavaDouble(text string) (float64, *eserr.Error) {
	s := javaTrim(text)
	if s == "" {
		reason := "empty String"
		return 0, eserr.NumberFormat(reason)
	}
	unsigned := strings.TrimLeft(s, "+-")
	switch {
	case len(s)-len(unsigned) > 1:
		return 0, numberFormat(text)
	case unsigned == "NaN":
		return math.NaN(), nil
	case unsigned == "Infinity":
		if s[0] == '-' {
			return math.Inf(-1), nil
		}
		return math.Inf(1), nil
	}
	hex := len(unsigned) > 2 && unsigned[0] == '0' && unsigned[1]|0x20 == 'x'
	if last := s[len(s)-1] | 0x20; len(unsigned) > 1 && (last == 'd' || last == 'f') && (!hex || strings.ContainsAny(s, "pP")) {
		s = s[:len(s)-1]
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9' || c == '.' || c == '+' || c == '-':
		case c|0x20 == 'e' && !hex:
		case hex && (c|0x20 >= 'a' && c|0x20 <= 'f' || c|0x20 == 'x' || c|0x20 == 'p'):
		default:
			return 0, numberFormat(text)
		}
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(x, 0) {
		return 0, numberFormat(text)
	}
	return x, nil
}

// decimalText tells whether Java's BigDecimal takes the text.
func decimalText(s string) bool {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	count := func() int {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i - from
	}
	n := count()
	if i < len(s) && s[i] == '.' {
		i++
		n += count()
	}
	if n == 0 {
		return false
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if m := count(); m == 0 || m > 10 {
			return false
		}
	}
	return i == len(s)
}

// truncateDecimal is the whole part of a decimal text; not ok beyond int64.
func truncateDecimal(s string) (int64, bool) {
	neg := s[0] == '-'
	s = strings.TrimLeft(s, "+-")
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	exp := 0
	if exponent != "" {
		var err error
		if exp, err = strconv.Atoi(exponent); err != nil {
			exp = 1 << 30
			if exponent[0] == '-' {
				exp = -exp
			}
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	point := len(whole) + exp
	for digits != "" && digits[0] == '0' {
		digits, point = digits[1:], point-1
	}
	if digits == "" || point <= 0 {
		return 0, true
	}
	if point > 19 {
		return 0, false
	}
	var n uint64
	for i := range point {
		n *= 10
		if i < len(digits) {
			n += uint64(digits[i] - '0')
		}
	}
	if neg {
		return -int64(n), n <= 1<<63
	}
	return int64(n), n < 1<<63
}
