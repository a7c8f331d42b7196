package decimalformat

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Every line of the file was written by Java 17: pattern, number (L marks a long), text.
func TestAsJava(t *testing.T) {
	b, err := os.ReadFile("testdata/java17.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		f, err := Parse(c[0])
		if c[1] == "error" {
			if err == nil || err.Error() != c[2] {
				t.Errorf("Parse(%q): %v, want %s", c[0], err, c[2])
			}
			continue
		}
		if err != nil {
			t.Errorf("Parse(%q): %v", c[0], err)
			continue
		}
		var got []byte
		if long, ok := strings.CutSuffix(c[1], "L"); ok {
			v, err := strconv.ParseInt(long, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			got = f.AppendLong(nil, v)
		} else {
			v, err := strconv.ParseFloat(c[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			got = f.AppendDouble(nil, v)
		}
		if string(got) != c[2] {
			t.Errorf("%q of %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, p := range []string{"#,##0.00", "0.0E0", "'x'0;(0)", "0%", "##0.##E0"} {
		f.Add(p, 1234.5)
	}
	f.Fuzz(func(_ *testing.T, pattern string, v float64) {
		if d, err := Parse(pattern); err == nil {
			d.AppendDouble(nil, v)
			d.AppendLong(nil, int64(math.Float64bits(v)))
		}
	})
}
