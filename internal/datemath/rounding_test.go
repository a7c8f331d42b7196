package datemath

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestRecordedRounding compares bucket by bucket with date_histogram.
func TestRecordedRounding(t *testing.T) {
	var instants []int64
	wrong := 0
	recording(t, "testdata/rounding.txt", func(line string) {
		if instants == nil {
			for s := range strings.FieldsSeq(line) {
				n, _ := strconv.ParseInt(s, 10, 64)
				instants = append(instants, n)
			}
			return
		}
		cells := strings.Split(line, "\t")
		zone, err := Zone(cells[1])
		if err != nil {
			t.Error(err)
			return
		}
		offset, _ := time.ParseDuration(cells[2])
		kind, text, _ := strings.Cut(cells[0], ":")
		var r *Rounding
		if kind == "c" {
			unit, ok := CalendarUnit(text)
			if !ok {
				t.Fatal(text)
			}
			r = Calendar(unit, zone, offset.Milliseconds())
		} else {
			if days, ok := strings.CutSuffix(text, "d"); ok {
				n, _ := strconv.Atoi(days)
				text = fmt.Sprint(24*n, "h")
			}
			d, _ := time.ParseDuration(text)
			r = Fixed(d.Milliseconds(), zone, offset.Milliseconds())
		}
		var keys []int64
		for _, ms := range instants {
			at := r.Round(ms)
			keys = append(keys, at)
			if next := r.Next(at); next <= ms || r.Round(next) != next {
				t.Errorf("%s %s %s: %d lies in [%d, %d)", cells[0], cells[1], cells[2], ms, at, next)
			}
		}
		slices.Sort(keys)
		keys = slices.Compact(keys)
		got := strings.Trim(fmt.Sprint(keys), "[]")
		if len(keys) >= 60 {
			sum := int64(0)
			for i, k := range keys {
				m := k * int64(i+1) % 1000003
				if m < 0 {
					m += 1000003
				}
				sum += m
			}
			got = fmt.Sprintf("#%d:%d", len(keys), sum)
		}
		if got != cells[3] {
			wrong++
			t.Errorf("%s %s %s:\n got %s\nwant %s", cells[0], cells[1], cells[2], got, cells[3])
		}
	})
}
