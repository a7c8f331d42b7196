package query

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// fuzziness says how many edits a term may be away: a number, or one that depends on
// the length of the term.
type fuzziness struct {
	auto      bool
	low, high int // auto: no edit below low characters, one below high, else two
	edits     float64
}

func autoFuzziness() fuzziness { return fuzziness{auto: true, low: 3, high: 6} }

// of is the number of edits for a term.
func (f fuzziness) of(term string) int {
	if !f.auto {
		return min(2, int(f.edits))
	}
	switch n := utf8.RuneCountInString(term); {
	case n < f.low:
		return 0
	case n < f.high:
		return 1
	}
	return 2
}

// parseFuzziness reads a fuzziness as it stands in a body.
func parseFuzziness(v jsonx.Value) (fuzziness, *eserr.Error) {
	if v.Kind() == jsonx.Number {
		f, err := strconv.ParseFloat(string(v.Bytes()), 64)
		if err != nil || int(f) < 0 || int(f) > 2 {
			return fuzziness{}, eserr.IllegalArgument("Valid edit distances are [0, 1, 2] but was [%d]", int(f))
		}
		return fuzziness{edits: float64(int(f))}, nil
	}
	if v.Kind() != jsonx.String {
		return fuzziness{}, eserr.IllegalArgument("Can't parse fuzziness on token: [VALUE_BOOLEAN]")
	}
	return fuzzinessOf(v.Text())
}

// fuzzinessOf reads a fuzziness as it stands in a string.
func fuzzinessOf(text string) (fuzziness, *eserr.Error) {
	upper := strings.ToUpper(text)
	if upper == "AUTO" {
		return autoFuzziness(), nil
	}
	if limits, ok := strings.CutPrefix(upper, "AUTO:"); ok {
		return customFuzziness(upper, limits)
	}
	if n, err := strconv.Atoi(upper); err == nil && (n < 0 || n > 2) {
		return fuzziness{}, eserr.IllegalArgument("Valid edit distances are [0, 1, 2] but was [%d]", n)
	}
	f, err := strconv.ParseFloat(upper, 32)
	if err != nil {
		return fuzziness{}, eserr.IllegalArgument("fuzziness cannot be [%s].", text).
			Cause(eserr.NumberFormat("For input string: \"" + upper + "\""))
	}
	if f != 0 && f != 1 && f != 2 {
		return fuzziness{}, eserr.IllegalArgument("fuzziness needs to be one of 0.0, 1.0 or 2.0 but was %s", jsonx.AppendFloat32(nil, float32(f)))
	}
	return fuzziness{edits: f}, nil
}

func customFuzziness(text, limits string) (fuzziness, *eserr.Error) {
	lowText, highText, ok := strings.Cut(limits, ",")
	if !ok || strings.Contains(highText, ",") {
		return fuzziness{}, eserr.ParseError("failed to find low and high distance values")
	}
	low, err := javaInt(lowText)
	var high int
	if err == nil {
		high, err = javaInt(highText)
	}
	if err != nil {
		return fuzziness{}, eserr.ParseError("failed to parse [%s] as a \"auto:int,int\"", text).Cause(err)
	}
	if low < 0 || high < 0 || low > high {
		return fuzziness{}, eserr.ParseError("fuzziness wrongly configured [%s]. Must be 0 < lower value <= higher value.", text)
	}
	return fuzziness{auto: true, low: low, high: high}, nil
}
