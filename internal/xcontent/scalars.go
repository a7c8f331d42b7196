package xcontent

import (
	"math"
	"net/http"
	"strconv"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Bool reads true and false, also as strings.
func Bool(x *bool, v jsonx.Value) error {
	switch v.Kind() {
	case jsonx.True, jsonx.False:
		*x, _ = v.Bool()
		return nil
	case jsonx.String:
		if err := ParseBool(x, v.Text()); err != nil {
			return standing(v, err)
		}
		return nil
	}
	return inputCoercion(v, "Current token (%s) not of boolean type", jacksonToken(v))
}

// ParseBool reads the two words that Elasticsearch takes for a boolean.
func ParseBool(x *bool, text string) error {
	if text != "true" && text != "false" {
		return eserr.IllegalArgument("Failed to parse value [%s] as only [true] or [false] are allowed.", text)
	}
	*x = text == "true"
	return nil
}

// Int reads a 32-bit integer: a fraction is cut off, a string is read as a number.
func Int(x *int, v jsonx.Value) error {
	if v.Kind() == jsonx.String {
		text := v.Text()
		f, err := ParseDouble(text)
		if err != nil {
			return standing(v, err)
		}
		if f < math.MinInt32 || f > math.MaxInt32 {
			return eserr.IllegalArgument("Value [%s] is out of range for an integer", text)
		}
		*x = int(f)
		return nil
	}
	if v.Kind() != jsonx.Number {
		return inputCoercion(v, "Current token (%s) not numeric, can not use numeric value accessors", jacksonToken(v))
	}
	f, _ := v.Float64()
	if !(math.Trunc(f) >= math.MinInt32 && math.Trunc(f) <= math.MaxInt32) {
		return inputCoercion(v, "Numeric value (%s) out of range of int (-2147483648 - 2147483647)", v.Text())
	}
	*x = int(f)
	return nil
}

// Long reads a 64-bit integer exactly; a fraction is cut off.
func Long(x *int64, v jsonx.Value) error {
	text := v.Text()
	switch v.Kind() {
	case jsonx.String:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			*x = n
			return nil
		}
		f, err := ParseDouble(text)
		if err != nil {
			return eserr.IllegalArgument("For input string: \"%s\"", text)
		}
		if !inLong(f) {
			return eserr.IllegalArgument("Value [%s] is out of range for a long", text)
		}
		*x = int64(f)
		return nil
	case jsonx.Number:
		if n, ok := v.Int64(); ok {
			*x = n
			return nil
		}
		f, _ := v.Float64()
		if !inLong(f) {
			return inputCoercion(v, "Numeric value (%s) out of range of long (-9223372036854775808 - 9223372036854775807)", text)
		}
		*x = int64(f)
		return nil
	}
	return inputCoercion(v, "Current token (%s) not numeric, can not use numeric value accessors", jacksonToken(v))
}

func inLong(f float64) bool { return f >= -(1<<63) && f < 1<<63 }

// Float reads a number and rounds it to 32 bits, as Elasticsearch keeps boosts.
func Float(x *float64, v jsonx.Value) error {
	if err := Double(x, v); err != nil {
		return err
	}
	*x = float64(float32(*x))
	return nil
}

// Double reads a number.
func Double(x *float64, v jsonx.Value) error {
	switch v.Kind() {
	case jsonx.String:
		f, err := ParseDouble(v.Text())
		*x = f
		return err
	case jsonx.Number:
		*x, _ = v.Float64()
		return nil
	}
	return inputCoercion(v, "Current token (%s) not numeric, can not use numeric value accessors", jacksonToken(v))
}

// ParseDouble reads a number as Java's Double.parseDouble does.
func ParseDouble(text string) (float64, error) {
	trimmed := strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
	if trimmed == "" {
		return 0, numberFormat("empty String")
	}
	digits := strings.TrimRight(trimmed, "dDfF")
	f, err := strconv.ParseFloat(digits, 64)
	special := strings.ContainsAny(digits, "_xX") || strings.ContainsAny(strings.ToLower(digits), "in") && !javaSpecial(digits)
	if special || len(trimmed)-len(digits) > 1 || err != nil && !isRange(err) {
		return 0, numberFormat("For input string: \"" + text + "\"")
	}
	return f, nil
}

func javaSpecial(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return s == "NaN" || s == "Infinity"
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

func numberFormat(reason string) error {
	return &eserr.Error{Status: 400, Type: "number_format_exception", Reason: reason}
}

// Text reads a string; other scalars are taken as they are written.
func Text(x *string, v jsonx.Value) error {
	switch v.Kind() {
	case jsonx.String, jsonx.Number, jsonx.True, jsonx.False:
		*x = v.Text()
		return nil
	}
	line, col := v.Pos()
	return standing(v, &eserr.Error{Status: http.StatusInternalServerError, Type: "illegal_state_exception",
		Reason: "Can't get text on a " + TokenOf(v).String() + " at " + strconv.Itoa(line) + ":" + strconv.Itoa(col)})
}

// Scalar keeps a scalar as it is.
func Scalar(x *jsonx.Value, v jsonx.Value) error {
	switch v.Kind() {
	case jsonx.Object, jsonx.Array:
		return Text(new(string), v)
	case jsonx.Null:
		return nil
	}
	*x = v
	return nil
}

// Words reads a string or a number as it is written; null is absent.
func Words(x *string, v jsonx.Value) error {
	if v.Kind() == jsonx.Null {
		return nil
	}
	return Text(x, v)
}

// Value keeps the value for someone who knows its meaning.
func Value(x *jsonx.Value, v jsonx.Value) error {
	*x = v
	return nil
}
