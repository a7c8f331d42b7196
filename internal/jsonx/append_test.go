package jsonx

import (
	"math"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// The right values are those of Java 19 and newer (Double.toString, Float.toString).
func TestFloatsAreJavas(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want string
	}{
		{0, "0.0"}, {math.Copysign(0, -1), "-0.0"}, {1, "1.0"}, {-1.5, "-1.5"}, {100, "100.0"},
		{0.001, "0.001"}, {0.00099, "9.9E-4"}, {9999999, "9999999.0"}, {1e7, "1.0E7"}, {12345678.9, "1.23456789E7"},
		{1e10, "1.0E10"}, {-1e-5, "-1.0E-5"}, {1.5e300, "1.5E300"}, {5e-324, "4.9E-324"}, {2e-323, "2.0E-323"}, {math.MaxFloat64, "1.7976931348623157E308"},
		{2.2250738585072014e-308, "2.2250738585072014E-308"}, {123456.789, "123456.789"},
		{math.NaN(), `"NaN"`}, {math.Inf(1), `"Infinity"`}, {math.Inf(-1), `"-Infinity"`},
	} {
		if got := string(AppendFloat(nil, c.f)); got != c.want {
			t.Errorf("%g: got %s, want %s", c.f, got, c.want)
		}
	}
	for _, c := range []struct {
		f    float32
		want string
	}{
		{0.1, "0.1"}, {1e10, "1.0E10"}, {3.4028235e38, "3.4028235E38"}, {1.4e-45, "1.4E-45"}, {0.2876821, "0.2876821"}, {16777216, "1.6777216E7"},
	} {
		if got := string(AppendFloat32(nil, c.f)); got != c.want {
			t.Errorf("%g: got %s, want %s", c.f, got, c.want)
		}
	}
}

func TestStringsAreJacksons(t *testing.T) {
	for in, want := range map[string]string{
		"a\"b\\c/d":              `"a\"b\\c/d"`,
		"\b\t\n\f\r\x00\x1f\x7f": "\"\\b\\t\\n\\f\\r\\u0000\\u001F\x7f\"",
		"<é日😀>\u2028":            "\"<é日\\uD83D\\uDE00>\u2028\"",
		"\xffa":                  "\"\uFFFDa\"",
	} {
		if got := string(AppendString(nil, in)); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"\x00\xff\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		b := AppendString(nil, s)
		text, err := jsontext.AppendUnquote(nil, b)
		if err != nil || string(text) != string([]rune(s)) {
			t.Errorf("%q became %s", s, b)
		}
	})
}

func TestIntegersAreExact(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true}, {"-0", 0, true}, {"5.0", 5, true}, {"5e0", 5, true}, {"50e-1", 5, true}, {"0.05e2", 5, true}, {"5.5", 0, false}, {"1e-1", 0, false},
		{"9223372036854775807", math.MaxInt64, true}, {"9223372036854775808", 0, false}, {"-9223372036854775808", math.MinInt64, true},
		{"-9223372036854775809", 0, false}, {"9007199254740993.0", 9007199254740993, true}, {"9.007199254740993e15", 9007199254740993, true},
		{"1e18", 1e18, true}, {"1e19", 0, false}, {"0e999999999999999999999", 0, true}, {"1e999999999999999999999", 0, false}, {"1e-999999999999999999999", 0, false},
		{"18446744073709551617", 0, false}, {"99999999999999999999999", 0, false},
	} {
		got, ok := MustParse(c.text).Int64()
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s: got %d, %v", c.text, got, ok)
		}
	}
}
