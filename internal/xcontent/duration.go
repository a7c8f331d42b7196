package xcontent

import (
	"math"
	"strconv"
	"strings"
	"time"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Duration is a time value as it was written, and what it means. -1 stands for "no
// limit" and is kept as -1 nanosecond.
type Duration struct {
	Text string
	D    time.Duration
}

var units = []struct {
	suffix string
	unit   time.Duration
}{
	{"nanos", time.Nanosecond}, {"micros", time.Microsecond}, {"ms", time.Millisecond},
	{"s", time.Second}, {"m", time.Minute}, {"h", time.Hour}, {"d", 24 * time.Hour},
}

// ParseDuration reads Elasticsearch's time values; setting is the name that stands in
// the complaint.
func ParseDuration(x *Duration, text, setting string) error {
	x.Text = text
	normal := strings.TrimSpace(strings.ToLower(text))
	for _, u := range units {
		digits, ok := strings.CutSuffix(normal, u.suffix)
		if !ok {
			continue
		}
		if u.suffix == "m" && !strings.HasSuffix(text, "m") {
			continue // M is a month, which no time value is
		}
		digits = strings.TrimSpace(digits)
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			if _, err := strconv.ParseFloat(digits, 64); err == nil {
				return eserr.IllegalArgument("failed to parse [%s], fractional time values are not supported", text).
					Cause(&eserr.Error{Status: 400, Type: "number_format_exception", Reason: `For input string: "` + digits + `"`})
			}
			return eserr.IllegalArgument("failed to parse [%s]", text).
				Cause(&eserr.Error{Status: 400, Type: "number_format_exception", Reason: `For input string: "` + digits + `"`})
		}
		if n < -1 {
			return eserr.IllegalArgument("failed to parse setting [%s] with value [%s] as a time value: negative durations are not supported", setting, text)
		}
		if n > math.MaxInt64/int64(u.unit) {
			x.D = math.MaxInt64
			return nil
		}
		x.D = time.Duration(n) * u.unit
		return nil
	}
	switch {
	case normal == "-1":
		x.D = -1
		return nil
	case strings.Trim(normal, "0") == "" && normal != "":
		x.D = 0
		return nil
	}
	return eserr.IllegalArgument("failed to parse setting [%s] with value [%s] as a time value: unit is missing or unrecognized", setting, text)
}

// DurationOf makes the decoder of a member that holds a time value.
func DurationOf(setting string) Decode[Duration] {
	return func(x *Duration, v jsonx.Value) error {
		var text string
		if err := Text(&text, v); err != nil {
			return err
		}
		if err := ParseDuration(x, text, setting); err != nil {
			return standing(v, err)
		}
		return nil
	}
}

// OffsetOf makes the decoder of a time value that may have a sign, or be a number of
// milliseconds.
func OffsetOf(setting string) Decode[Duration] {
	return func(x *Duration, v jsonx.Value) error {
		if v.Kind() == jsonx.Number {
			var ms int64
			if err := Long(&ms, v); err != nil {
				return err
			}
			*x = Duration{Text: v.Text(), D: time.Duration(ms) * time.Millisecond}
			return nil
		}
		text := v.Text()
		unsigned, negative := strings.CutPrefix(text, "-")
		if !negative {
			unsigned = strings.TrimPrefix(text, "+")
		}
		if err := ParseDuration(x, unsigned, setting); err != nil {
			return standing(v, err)
		}
		x.Text = text
		if negative {
			x.D = -x.D
		}
		return nil
	}
}
