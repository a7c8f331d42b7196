package mapping

import (
	"math"
	"strconv"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

func numberParams() []parameter {
	params := append(columnParams(), malformedParam(true), boolParam("coerce", true).updatable().printed(),
		parameter{name: "null_value", standard: "null", nullable: true, read: readNumberNull})
	params = append(params, scriptParams()...)
	return append(params, metaParam(), refusedParam("time_series_dimension", "false"), refusedParam("time_series_metric"))
}

func numberType(name string) *fieldType {
	t := &fieldType{name: name, params: numberParams(), fill: fillNumber}
	switch name {
	case "double", "float", "half_float":
		t.kind, t.read = KindDouble, readFloat
	default:
		t.kind, t.read = KindLong, readWhole
	}
	return t
}

func scaledFloatType() *fieldType {
	params := append(columnParams(), malformedParam(true), metaParam(),
		parameter{name: "scaling_factor", standard: "null", read: readScalingFactor},
		boolParam("coerce", true).updatable().printed(),
		parameter{name: "null_value", standard: "null", nullable: true, read: readNumberNull},
		refusedParam("time_series_metric"))
	return &fieldType{name: "scaled_float", kind: KindDouble, params: params, read: readFloat, fill: func(c *fieldContext, f *Field) error {
		factor := f.find("scaling_factor")
		if !factor.given {
			return eserr.IllegalArgument("Field [scaling_factor] is required")
		}
		f.ScalingFactor, _ = strconv.ParseFloat(factor.text, 64)
		return fillNumber(c, f)
	}}
}

func readScalingFactor(_ *fieldContext, v jsonx.Value) (setting, error) {
	x, err := strconv.ParseFloat(v.Text(), 64)
	if err != nil {
		return setting{}, numberFormat(v.Text())
	}
	text := string(jsonx.AppendFloat(nil, x))
	if math.IsNaN(x) || math.IsInf(x, 0) || x <= 0 {
		return setting{}, eserr.IllegalArgument("[scaling_factor] must be a positive number, got [%s]", text)
	}
	return setting{text: text, json: text}, nil
}

func fillNumber(c *fieldContext, f *Field) error {
	indexed(f)
	if !f.find("ignore_malformed").given {
		f.ignoreMalformed = c.options.IgnoreMalformed
	}
	if !f.find("coerce").given {
		f.coerce = !c.options.NoCoerce
	}
	f.setNull()
	return nil
}

// readNumberNull reads a null_value, which is never coerced to another number.
func readNumberNull(c *fieldContext, v jsonx.Value) (setting, error) {
	text := javaString(v)
	if c.typ.kind == KindDouble {
		x, err := parseJavaDouble(text)
		if err != nil {
			return setting{}, err
		}
		var json []byte
		switch c.typ.name {
		case "float", "half_float":
			y := float32(x)
			if json = jsonx.AppendFloat32(nil, y); c.typ.name == "half_float" {
				if half := float32(roundHalf(y)); !math.IsInf(float64(half), 0) {
					json = jsonx.AppendFloat32(nil, half)
				}
				y = float32(roundHalf(y))
			}
			x = float64(y)
		default:
			json = jsonx.AppendFloat(nil, x)
		}
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return setting{}, eserr.IllegalArgument("[%s] supports only finite values, but got [%s]", c.typ.name, json)
		}
		return setting{text: string(json), json: string(json)}, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		x, err := parseJavaDouble(text)
		switch {
		case err != nil:
			return setting{}, err
		case x != math.Trunc(x):
			return setting{}, eserr.IllegalArgument("Value [%s] has a decimal part", text)
		case x >= 1<<63 || x < -1<<63:
			return setting{}, eserr.IllegalArgument("Value [%s] is out of range for %s", text, article(c.typ.name))
		}
		n = int64(x)
	}
	if low, high := wholeRange(c.typ.name); n < low || n > high {
		return setting{}, eserr.IllegalArgument("Value [%s] is out of range for %s", text, article(c.typ.name))
	}
	text = strconv.FormatInt(n, 10)
	return setting{text: text, json: text}, nil
}

func article(typ string) string {
	if typ == "integer" {
		return "an integer"
	}
	return "a " + typ
}

func wholeRange(typ string) (low, high int64) {
	switch typ {
	case "integer":
		return math.MinInt32, math.MaxInt32
	case "short":
		return math.MinInt16, math.MaxInt16
	case "byte":
		return math.MinInt8, math.MaxInt8
	}
	return math.MinInt64, math.MaxInt64
}

// readWhole reads a long, integer, short or byte.
func readWhole(p *docParser, f *Field, v jsonx.Value) error {
	if v.Kind() >= jsonx.Object {
		return p.fail(f, v, eserr.IllegalArgument("Cannot parse object as number"))
	}
	if f.coerce && v.Kind() == jsonx.String && len(v.Raw()) == 2 {
		return p.null(f) // "" counts as null
	}
	n, err := p.whole(f, v)
	if err != nil {
		return p.wrong(f, v, err)
	}
	if f.Index || f.DocValues || f.Store {
		p.add(Value{Field: f, I: n})
	}
	return nil
}

func (p *docParser) whole(f *Field, v jsonx.Value) (int64, *eserr.Error) {
	var n int64
	var err *eserr.Error
	switch v.Kind() {
	case jsonx.Number:
		n, err = wholeNumber(f, v)
	case jsonx.String:
		class := "Integer"
		if f.Type == "long" {
			class = "Long"
		}
		if !f.coerce {
			return 0, eserr.IllegalArgument("%s value passed as String", class)
		}
		if f.Type == "long" {
			return longText(p.text(v))
		}
		n, err = intText(p.text(v))
	default:
		return 0, f.notNumeric(v)
	}
	if err != nil {
		return 0, err
	}
	if low, high := wholeRange(f.Type); n < low || n > high {
		if f.Type == "short" && v.Kind() == jsonx.Number {
			return 0, f.jackson(v, "Numeric value (%s) out of range of Java short", v.Raw())
		}
		return 0, eserr.IllegalArgument("Value [%d] is out of range for %s", n, article(f.Type))
	}
	return n, nil
}

// wholeNumber is what Jackson makes of a number as a long or an int.
func wholeNumber(f *Field, v jsonx.Value) (int64, *eserr.Error) {
	low, high, word := int64(math.MinInt64), int64(math.MaxInt64), "long"
	if f.Type != "long" {
		low, high, word = math.MinInt32, math.MaxInt32, "int"
	}
	raw := v.Raw()
	n, err := strconv.ParseInt(bytesText(raw), 10, 64)
	decimal := false
	if err != nil && isDecimal(raw) {
		x, _ := v.Float64()
		if x >= float64(low) && x <= float64(high) {
			decimal, err = x != math.Trunc(x), nil
			if n = int64(x); x >= 1<<63 {
				n = math.MaxInt64
			}
		}
	}
	if err != nil || n < low || n > high {
		return 0, f.jackson(v, "Numeric value (%s) out of range of %s (%d - %d)", raw, word, low, high)
	}
	if decimal && !f.coerce {
		class := "Integer"
		if f.Type == "long" {
			class = "Long"
		}
		return 0, eserr.IllegalArgument("%s cannot be converted to %s without data loss", javaString(v), class)
	}
	return n, nil
}

// longText is a text as a long: exact, with a fraction cut off.
func longText(text string) (int64, *eserr.Error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return n, nil
	}
	if !decimalText(text) {
		return 0, eserr.IllegalArgument("For input string: \"%s\"", text)
	}
	whole, ok := truncateDecimal(text)
	if !ok {
		return 0, eserr.IllegalArgument("Value [%s] is out of range for a long", text)
	}
	return whole, nil
}

// intText is a text as an int, by way of a double.
func intText(text string) (int64, *eserr.Error) {
	x, err := parseJavaDouble(text)
	switch {
	case err != nil:
		return 0, err
	case x < math.MinInt32 || x > math.MaxInt32:
		return 0, eserr.IllegalArgument("Value [%s] is out of range for an integer", text)
	case math.IsNaN(x):
		return 0, nil
	}
	return int64(x), nil
}

func (f *Field) notNumeric(v jsonx.Value) *eserr.Error {
	return f.jackson(v, "Current token (%s) not numeric, can not use numeric value accessors", token(v))
}

// readFloat reads a double, float, half_float or scaled_float.
func readFloat(p *docParser, f *Field, v jsonx.Value) error {
	if v.Kind() >= jsonx.Object {
		return p.fail(f, v, eserr.IllegalArgument("Cannot parse object as number"))
	}
	if f.coerce && v.Kind() == jsonx.String && len(v.Raw()) == 2 {
		return p.null(f)
	}
	x, err := p.float(f, v)
	switch {
	case err == nil:
	case !f.ignoreMalformed && v.Kind() == jsonx.Number && math.IsInf(x, 0):
		// Jackson has read the number as a float by then and shows that.
		line, col := v.Pos()
		return because(p.cannotParse(f, line, col, string(appendDouble(nil, x))), err)
	default:
		return p.wrong(f, v, err)
	}
	if f.Index || f.DocValues || f.Store {
		p.add(Value{Field: f, F: x})
	}
	return nil
}

func (p *docParser) float(f *Field, v jsonx.Value) (float64, *eserr.Error) {
	single := f.Type == "float" || f.Type == "half_float"
	var x float64
	switch v.Kind() {
	case jsonx.Number:
		bits := 64
		if single {
			bits = 32
		}
		x, _ = strconv.ParseFloat(bytesText(v.Raw()), bits)
	case jsonx.String:
		if !f.coerce {
			class := "Double"
			if single {
				class = "Float"
			}
			return 0, eserr.IllegalArgument("%s value passed as String", class)
		}
		var err *eserr.Error
		if x, err = parseJavaDouble(p.text(v)); err != nil {
			return 0, err
		}
		if single {
			y, _ := strconv.ParseFloat(javaTrim(p.text(v)), 32)
			if !math.IsNaN(x) {
				x = y
			}
		}
	default:
		return 0, f.notNumeric(v)
	}
	parsed := x
	switch f.Type {
	case "half_float":
		x = roundHalf(float32(x))
	case "scaled_float":
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			x = f.Unscale(Scale(x, f.ScalingFactor))
		}
	}
	if math.IsInf(x, 0) || math.IsNaN(x) {
		var text []byte
		if single {
			text = appendFloat32(nil, float32(parsed))
		} else {
			text = appendDouble(nil, parsed)
		}
		if f.Type == "scaled_float" {
			return 0, eserr.IllegalArgument("[scaled_float] only supports finite values, but got [%s]", text)
		}
		if !single || !isDecimal(v.Raw()) {
			parsed = 0
		}
		return parsed, eserr.IllegalArgument("[%s] supports only finite values, but got [%s]", f.Type, text)
	}
	return x, nil
}

// Scale is the whole number that a scaled_float is kept as, rounded as Java's Math.round.
func Scale(x, factor float64) float64 { return math.Floor(x*factor + 0.5) }

// Unscale is the value of a scaled_float that is kept as a whole number.
func (f *Field) Unscale(scaled float64) float64 { return scaled * (1 / f.ScalingFactor) }

func appendFloat32(dst []byte, f float32) []byte {
	if math.IsInf(float64(f), 0) || f != f {
		return appendDouble(dst, float64(f))
	}
	return jsonx.AppendFloat32(dst, f)
}

// roundHalf is the nearest number of 16 bits; beyond their range an infinity.
func roundHalf(x float32) float64 {
	d := float64(x)
	a := math.Abs(d)
	switch {
	case a != a || a == 0:
		return d
	case a >= 65520:
		return math.Copysign(math.Inf(1), d)
	}
	// The distance of two neighbours: ten bits below the exponent, 2^-24 for the smallest.
	step := math.Ldexp(1, -24)
	if a >= math.Ldexp(1, -14) {
		_, exp := math.Frexp(a)
		step = math.Ldexp(1, exp-11)
	}
	return math.Copysign(math.RoundToEven(a/step)*step, d)
}
