package query

import "math"

// roundHalf rounds to the nearest half-precision number, ties to even.
func roundHalf(f float32) float32 {
	bits := math.Float32bits(f)
	exp := int(bits>>23&0xFF) - 127
	switch {
	case exp == 128 || f == 0:
		return f
	case exp < -14:
		// Subnormal: multiples of 2^-24.
		const unit = 1 << 24
		return float32(math.RoundToEven(float64(f)*unit) / unit)
	}
	const drop = 23 - 10
	rounded := bits + (1<<(drop-1) - 1) + bits>>drop&1
	rounded &^= 1<<drop - 1
	if r := math.Float32frombits(rounded); math.Abs(float64(r)) <= 65504 {
		return r
	}
	return float32(math.Inf(1 - 2*int(bits>>31)))
}

// RoundHalf rounds to the nearest half-precision number, as half_float fields do.
func RoundHalf(f float32) float32 { return roundHalf(f) }

// nextHalf is the half-precision number next to any number f, which need not be one, in
// the direction of sign.
func nextHalf(f float32, sign int) float32 {
	r := roundHalf(f)
	if sign > 0 && r <= f || sign < 0 && r >= f {
		r = stepHalf(r, sign)
	}
	return r
}

// stepHalf is the next half-precision number after f in the direction of sign.
func stepHalf(f float32, sign int) float32 {
	if f == 0 && math.Signbit(float64(f)) == (sign > 0) {
		return float32(math.Copysign(0, float64(sign)))
	}
	unit := float32(math.Ldexp(1, -24))
	if a := math.Abs(float64(f)); a >= math.Ldexp(1, -14) {
		_, e := math.Frexp(a)
		unit = float32(math.Ldexp(1, e-11))
		// Towards zero, the step below a power of two is half as long.
		if frac, _ := math.Frexp(a); frac == 0.5 && (f > 0) == (sign < 0) && a > math.Ldexp(1, -14) {
			unit /= 2
		}
	}
	r := roundHalf(f + float32(sign)*unit)
	if r == 0 && f < 0 {
		return float32(math.Copysign(0, -1)) // zero from below
	}
	return r
}
