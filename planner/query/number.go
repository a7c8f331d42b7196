package query

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// number is a value asked of a numeric field, in the form in which Elasticsearch
// holds it: strings stay text until the field's type reads them.
type number struct {
	text string
	// shown is how error messages print the value.
	shown string
	// exact tells that i holds the value, which is integral.
	exact bool
	i     int64
	f     float64
}

// readNumber reads a value as Java's Double.parseDouble would, keeping integers exact.
func readNumber(v jsonx.Value) (number, *eserr.Error) {
	n := number{text: v.Text()}
	switch v.Kind() {
	case jsonx.Number:
		n.shown = n.text
	default:
		n.shown = hexBytes(n.text)
	}
	if i, err := strconv.ParseInt(n.text, 10, 64); err == nil {
		n.exact, n.i, n.f = true, i, float64(i)
		return n, nil
	}
	f, ok := parseJavaDouble(n.text)
	if !ok {
		return n, numberFormat(n.text)
	}
	n.f = f
	if v.Kind() == jsonx.Number {
		if strings.ContainsAny(n.text, ".eE") {
			n.shown = string(jsonx.AppendFloat(nil, f))
		} else {
			n.shown = hexBytes(n.text) // an integer beyond long
		}
	}
	return n, nil
}

// numberFormat is Java's error for a text that is no number.
func numberFormat(text string) *eserr.Error {
	if strings.TrimSpace(text) == "" {
		return eserr.NumberFormat("empty String")
	}
	return eserr.NumberFormat("For input string: \"" + text + "\"")
}

// hexBytes prints a text as Lucene's BytesRef does: its bytes, in brackets.
func hexBytes(s string) string {
	parts := make([]string, len(s))
	for i := range len(s) {
		parts[i] = strconv.FormatUint(uint64(s[i]), 16)
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// parseJavaDouble takes what Double.parseDouble takes: surrounding white space, a
// trailing d or f, Infinity and NaN in exactly that spelling, no underscores.
func parseJavaDouble(s string) (float64, bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 || body == "" {
		return 0, false
	}
	switch body {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		if s[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	if c := body[0]; c != '.' && (c < '0' || c > '9') || strings.Contains(s, "_") {
		return 0, false
	}
	if c := s[len(s)-1] | 0x20; (c == 'd' || c == 'f') && !strings.HasPrefix(strings.ToLower(body), "0x") {
		s = s[:len(s)-1]
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) { // out of range is ±Inf, as in Java
		return 0, false
	}
	return f, true
}

func (n number) hasDecimalPart() bool { return !n.exact && math.Mod(n.f, 1) != 0 }

// integer narrows the number to int, as integer, short and byte fields do, cutting decimals.
func (n number) integer() (int64, *eserr.Error) {
	if n.f < math.MinInt32 || n.f > math.MaxInt32 {
		return 0, eserr.IllegalArgument("Value [%s] is out of range for an integer", n.shown)
	}
	return int64(n.f), nil
}

// long narrows the number to long, cutting decimals.
func (n number) long() (int64, *eserr.Error) {
	switch {
	case n.exact:
		return n.i, nil
	case n.f < math.MinInt64 || n.f > math.MaxInt64:
		return 0, eserr.IllegalArgument("Value [%s] is out of range for a long", n.shown)
	}
	if n.f > -1 && n.f < 1 { // also keeps huge negative exponents away from big.Rat
		return 0, nil
	}
	r, ok := new(big.Rat).SetString(strings.TrimSpace(n.text))
	if !ok {
		return 0, numberFormat(n.text)
	}
	i := new(big.Int).Quo(r.Num(), r.Denom())
	if !i.IsInt64() {
		return 0, eserr.IllegalArgument("Value [%s] is out of range for a long", n.text)
	}
	return i.Int64(), nil
}

// finite is the error of a type that takes no infinite value.
func finite(typ string, f float64) *eserr.Error {
	if !math.IsInf(f, 0) && !math.IsNaN(f) {
		return nil
	}
	return notFinite(typ, f)
}

func notFinite(typ string, f float64) *eserr.Error {
	return eserr.IllegalArgument("[%s] supports only finite values, but got [%s]", typ, bytes.Trim(jsonx.AppendFloat(nil, f), `"`))
}

// step64 is the number next to f in the direction of sign. Like Lucene's points it
// keeps the two zeros apart.
func step64(f float64, sign int) float64 {
	if f == 0 && math.Signbit(f) == (sign > 0) {
		return math.Copysign(0, float64(sign))
	}
	return math.Nextafter(f, math.Inf(sign))
}

// step32 is step64 in single precision.
func step32(f float32, sign int) float32 {
	if f == 0 && math.Signbit(float64(f)) == (sign > 0) {
		return float32(math.Copysign(0, float64(sign)))
	}
	return math.Nextafter32(f, float32(math.Inf(sign)))
}
