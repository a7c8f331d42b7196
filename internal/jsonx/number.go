package jsonx

import (
	"strconv"
	"unsafe"
)

// Int64 is the exact integer that a number stands for: 5, 5.0 and 5e0 are 5, while
// 5.5 and what int64 can't hold are not ok.
func (v Value) Int64() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	return exactInt(v.Raw())
}

// Float64 is the double nearest to a number; not ok for other kinds. Beyond the
// range of doubles it is an infinity, as in Java.
func (v Value) Float64() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	raw := v.Raw()
	f, err := strconv.ParseFloat(unsafe.String(&raw[0], len(raw)), 64)
	return f, err == nil || f != 0
}

// exactInt reads a JSON number, given that it is a valid one.
func exactInt(raw []byte) (int64, bool) {
	neg := raw[0] == '-'
	if neg {
		raw = raw[1:]
	}
	var n uint64
	digits, i := 0, 0
	for ; i < len(raw) && raw[i] >= '0' && raw[i] <= '9'; i++ {
		if n = n*10 + uint64(raw[i]-'0'); n > 0 {
			digits++
		}
	}
	if i < len(raw) {
		return scaledInt(neg, raw)
	}
	if digits > 19 {
		return 0, false
	}
	return signed(neg, n)
}

func signed(neg bool, n uint64) (int64, bool) {
	if neg {
		return -int64(n), n <= 1<<63
	}
	return int64(n), n < 1<<63
}

// scaledInt reads an unsigned number that has a fraction or an exponent.
func scaledInt(neg bool, raw []byte) (int64, bool) {
	var digits []byte // without the point
	point, exp, i := -1, 0, 0
scan:
	for ; i < len(raw); i++ {
		switch c := raw[i]; c {
		case '.':
			point = len(digits)
		case 'e', 'E':
			e, err := strconv.Atoi(string(raw[i+1:]))
			if err != nil {
				e = 1 << 30 // beyond any length that matters; the sign stands in the text
				if raw[i+1] == '-' {
					e = -e
				}
			}
			exp = e
			break scan
		default:
			digits = append(digits, c)
		}
	}
	if point < 0 {
		point = len(digits)
	}
	point += exp
	for len(digits) > 0 && digits[0] == '0' {
		digits, point = digits[1:], point-1
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	if len(digits) == 0 {
		return 0, true
	}
	if point < len(digits) || point > 19 {
		return 0, false
	}
	var n uint64
	for j := range point {
		n *= 10
		if j < len(digits) {
			n += uint64(digits[j] - '0')
		}
	}
	return signed(neg, n)
}
