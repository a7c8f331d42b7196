package decimalformat

import (
	"math"
	"math/big"
	"strconv"
)

// AppendDouble appends a number as DecimalFormat.format(double) writes it.
func (f *Format) AppendDouble(dst []byte, v float64) []byte {
	if math.IsNaN(v) {
		return append(dst, "NaN"...)
	}
	v *= float64(f.multiplier)
	negative := math.Signbit(v)
	if math.IsInf(v, 0) {
		return f.affixed(dst, negative, func(dst []byte) []byte { return append(dst, "∞"...) })
	}
	d := ofDouble(math.Abs(v))
	return f.affixed(dst, negative, func(dst []byte) []byte { return f.appendDigits(dst, d, false) })
}

// AppendLong appends a number as DecimalFormat.format(long) writes it.
func (f *Format) AppendLong(dst []byte, v int64) []byte {
	d := ofUint(uint64(v))
	if v < 0 {
		d = ofUint(-uint64(v))
	}
	if f.multiplier != 1 {
		d = ofBig(new(big.Int).Abs(new(big.Int).Mul(big.NewInt(v), big.NewInt(int64(f.multiplier)))))
	}
	return f.affixed(dst, v < 0, func(dst []byte) []byte { return f.appendDigits(dst, d, true) })
}

func (f *Format) affixed(dst []byte, negative bool, number func([]byte) []byte) []byte {
	a := &f.positive
	if negative {
		a = &f.negative
	}
	dst = append(dst, a.prefix...)
	dst = number(dst)
	return append(dst, a.suffix...)
}

func (f *Format) appendDigits(dst []byte, d digits, whole bool) []byte {
	if f.exponent {
		return f.appendExponent(dst, d)
	}
	if f.maxPart < noLimit {
		d.keep(d.at + f.maxPart)
	}
	begin := len(dst)
	count := max(f.minWhole, d.at)
	for i := count - 1; i >= 0; i-- {
		dst = append(dst, d.digit(d.at-1-i))
		if f.group > 0 && i > 0 && i%f.group == 0 {
			dst = append(dst, ',')
		}
	}
	last := len(d.text) - d.at // digits behind the point that are there
	part := f.minPart > 0 || !whole && last > 0
	if !part && len(dst) == begin {
		dst = append(dst, '0')
	}
	if f.pointAlways || part {
		dst = append(dst, '.')
	}
	for i := range max(f.minPart, min(last, f.maxPart)) {
		dst = append(dst, d.digit(d.at+i))
	}
	return dst
}

func (d *digits) digit(i int) byte {
	if i < 0 || i >= len(d.text) {
		return '0'
	}
	return d.text[i]
}

func (f *Format) appendExponent(dst []byte, d digits) []byte {
	if n := f.maxWhole + f.maxPart; n > 0 {
		d.keep(n)
	}
	exponent, minWhole := d.at, f.minWhole
	if repeat := f.maxWhole; repeat > 1 && repeat > f.minWhole {
		if exponent >= 1 {
			exponent = (exponent - 1) / repeat * repeat
		} else {
			exponent = (exponent - repeat) / repeat * repeat
		}
		minWhole = 1
	} else {
		exponent -= minWhole
	}
	whole := d.at - exponent
	if len(d.text) == 0 {
		whole, exponent = minWhole, 0
	}
	total := max(f.minWhole+f.minPart, whole, len(d.text))
	for i := range total {
		if i == whole {
			dst = append(dst, '.')
		}
		dst = append(dst, d.digit(i))
	}
	if f.pointAlways && total == whole {
		dst = append(dst, '.')
	}
	dst = append(dst, 'E')
	if exponent < 0 {
		dst = append(dst, '-')
		exponent = -exponent
	}
	text := strconv.Itoa(exponent)
	for range f.minExponent - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}
