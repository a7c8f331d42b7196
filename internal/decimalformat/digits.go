package decimalformat

import (
	"math/big"
	"strconv"
	"strings"
)

// digits is a number 0.d₁d₂d₃… × 10^at without a sign; none stand for zero.
type digits struct {
	text []byte
	at   int
	// value is the double that the digits are the shortest form of, for ties.
	value float64
	float bool
}

// ofDouble takes the digits that Double.toString would show of a number ≥ 0.
func ofDouble(v float64) digits {
	d := digits{value: v, float: true}
	if v == 0 {
		return d
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	d.text = append(d.text, mantissa[0])
	if len(mantissa) > 2 {
		d.text = append(d.text, mantissa[2:]...)
	}
	d.at = e + 1
	d.trim()
	return d
}

func ofUint(v uint64) digits {
	d := digits{}
	if v == 0 {
		return d
	}
	d.text = strconv.AppendUint(nil, v, 10)
	d.at = len(d.text)
	d.trim()
	return d
}

func ofBig(v *big.Int) digits {
	d := digits{text: []byte(v.String())}
	d.at = len(d.text)
	d.trim()
	return d
}

func (d *digits) trim() {
	for len(d.text) > 0 && d.text[len(d.text)-1] == '0' {
		d.text = d.text[:len(d.text)-1]
	}
	if len(d.text) == 0 {
		d.at = 0
	}
}

// keep rounds to the first n digits, half to even.
func (d *digits) keep(n int) {
	if n >= len(d.text) {
		return
	}
	if n < 0 {
		d.text, d.at = nil, 0
		return
	}
	up := d.roundsUp(n)
	d.text = d.text[:n]
	for i := n - 1; up; i-- {
		if i < 0 {
			d.text = append(d.text[:0], '1')
			d.at++
			break
		}
		if d.text[i]++; d.text[i] <= '9' {
			d.text = d.text[:i+1]
			break
		}
		d.text = d.text[:i]
	}
	d.trim()
}

func (d *digits) roundsUp(n int) bool {
	switch rest := d.text[n:]; {
	case rest[0] != '5':
		return rest[0] > '5'
	case len(rest) > 1:
		return true
	}
	if d.float {
		// The digits look like a tie: what they stand for may lie beside it.
		shown, _ := new(big.Float).SetPrec(2000).SetString("0." + string(d.text) + "e" + strconv.Itoa(d.at))
		if c := new(big.Float).SetFloat64(d.value).Cmp(shown); c != 0 {
			return c > 0
		}
	}
	return n > 0 && (d.text[n-1]-'0')%2 == 1
}
