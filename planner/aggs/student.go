package aggs

import "math"

// twoTailed is the probability that Student's t is as far from zero, with so many degrees
// of freedom.
func twoTailed(t, freedom float64) float64 {
	if math.IsNaN(t) {
		return t
	}
	return incompleteBeta(freedom/2, 0.5, freedom/(freedom+t*t))
}

// incompleteBeta is the regularized incomplete beta function, by the continued fraction of
// NIST's Digital Library of Mathematical Functions 8.17.22, evaluated by Lentz's method.
func incompleteBeta(a, b, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - incompleteBeta(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	const tiny, close = 1e-300, 1e-16
	guard := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/guard(1-(a+b)*x/(a+1))
	f := d
	for i := 1; i < 1000; i++ {
		m := float64(i)
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / guard(1+even*d)
		c = guard(1 + even/c)
		f *= c * d
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / guard(1+odd*d)
		c = guard(1 + odd/c)
		f *= c * d
		if math.Abs(c*d-1) < close {
			break
		}
	}
	return front * f
}
