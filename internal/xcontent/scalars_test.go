package xcontent_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"postern/internal/jsonx"
	"postern/internal/xcontent"
)

func TestInt(t *testing.T) {
	for text, want := range map[string]string{
		`1`: "1", `"1"`: "1", `1.9`: "1", `-1.9`: "-1", `"1.5"`: "1", `1e2`: "100", `2147483647`: "2147483647",
		`2147483648`: "error", `true`: "error", `"x"`: "error", `{}`: "error", `null`: "error",
	} {
		var n int
		got := "error"
		if err := xcontent.Int(&n, jsonx.MustParse(text)); err == nil {
			got = fmt.Sprint(n)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestLong(t *testing.T) {
	for text, want := range map[string]string{
		`9007199254740993`: "9007199254740993", `"9007199254740993"`: "9007199254740993", `-9223372036854775808`: "-9223372036854775808",
		`1.9`: "1", `"1e3"`: "1000", `9223372036854775808`: "error", `1e30`: "error", `false`: "error",
	} {
		var n int64
		got := "error"
		if err := xcontent.Long(&n, jsonx.MustParse(text)); err == nil {
			got = fmt.Sprint(n)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestParseDouble(t *testing.T) {
	for text, want := range map[string]float64{
		"1": 1, " 1.5 ": 1.5, "1e3": 1000, "1f": 1, "2D": 2, "NaN": math.NaN(), "-Infinity": math.Inf(-1), "1e999": math.Inf(1), ".5": .5,
	} {
		got, err := xcontent.ParseDouble(text)
		if err != nil || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", " ", "x", "1_000", "0x10", "inf", "nan", "infinity", "1ff", "1d2"} {
		if f, err := xcontent.ParseDouble(text); err == nil {
			t.Errorf("%q is %v", text, f)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"1nanos": 1, "2micros": 2 * time.Microsecond, "3ms": 3 * time.Millisecond, "4s": 4 * time.Second, "5m": 5 * time.Minute,
		"6h": 6 * time.Hour, "7d": 168 * time.Hour, "-1": -1, "0": 0, " 1S": time.Second, "99999999999d": math.MaxInt64,
	} {
		var d xcontent.Duration
		if err := xcontent.ParseDuration(&d, text, "timeout"); err != nil || d.D != want || d.Text != text {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
	for text, want := range map[string]string{
		"1":    "illegal_argument_exception: failed to parse setting [timeout] with value [1] as a time value: unit is missing or unrecognized",
		"1M":   "illegal_argument_exception: failed to parse setting [timeout] with value [1M] as a time value: unit is missing or unrecognized",
		"1.5s": "illegal_argument_exception: failed to parse [1.5s], fractional time values are not supported",
		"-2s":  "illegal_argument_exception: failed to parse setting [timeout] with value [-2s] as a time value: negative durations are not supported",
		"xs":   "illegal_argument_exception: failed to parse [xs]",
		"":     "illegal_argument_exception: failed to parse setting [timeout] with value [] as a time value: unit is missing or unrecognized",
	} {
		var d xcontent.Duration
		if err := xcontent.ParseDuration(&d, text, "timeout"); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestSuggest(t *testing.T) {
	known := []string{"term", "terms", "match", "match_all", "range"}
	for name, want := range map[string]string{
		"trm": " did you mean any of [term, terms]?", "rnge": " did you mean [range]?", "zzzz": "", "": "",
	} {
		if got := xcontent.Suggest(name, known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func FuzzParseDouble(f *testing.F) {
	f.Add("1.5e3f")
	f.Add("-Infinity")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := xcontent.ParseDouble(text); err != nil && err.Error() == "" {
			t.Fatal("an error without words")
		}
	})
}

func FuzzParseDuration(f *testing.F) {
	f.Add("1.5d")
	f.Add("99999999999999999999d")
	f.Fuzz(func(t *testing.T, text string) {
		var d xcontent.Duration
		if err := xcontent.ParseDuration(&d, text, "x"); err == nil && d.D < -1 {
			t.Fatalf("%q is %v", text, d.D)
		}
	})
}
