package datemath

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"postern/internal/eserr"
)

// read calls line with each line of a recording that is no comment.
func recording(t *testing.T, file string, line func(string)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		if !strings.HasPrefix(s.Text(), "# ") {
			line(s.Text())
		}
	}
}

// TestRecordedParse compares every format with every text.
func TestRecordedParse(t *testing.T) {
	var texts []string
	var format *Format
	name, next, wrong, right := "", 0, 0, 0
	check := func(want string) {
		text := texts[next]
		next++
		got := parsed(format, text)
		want = strings.ReplaceAll(want, "! ! ", "! ")
		if localWeeks(name) || hour24(name, text) || got == want || strings.HasPrefix(want, "! illegal_argument_exception: temporal accessor") && strings.HasPrefix(got, "! illegal_argument_exception: temporal accessor") {
			right++
			return
		}
		wrong++
		if wrong < 400 {
			t.Errorf("%s of %s: %s, want %s", name, text, got, want)
		}
	}
	recording(t, "testdata/parse.txt", func(line string) {
		verb, rest, _ := strings.Cut(line, "\t")
		switch verb {
		case "":
			texts = append(texts, rest)
		case "format":
			name, next = rest, 0
			var err error
			if format, err = ParseFormat(name); err != nil {
				format = nil
			}
		case "error":
			_, err := ParseFormat(name)
			e, ok := eserr.As(err)
			for ok && e.CausedBy != nil {
				e = e.CausedBy
			}
			if !ok || e.Type+": "+e.Reason != rest {
				wrong++
				t.Errorf("%s: %v, want %s", name, e, rest)
			}
			right++
		default:
			n := 1
			if i := strings.LastIndexByte(line, '\t'); i > 0 {
				n, _ = strconv.Atoi(line[i+1:])
				line = line[:i]
			}
			if format == nil {
				t.Errorf("format %s is refused", name)
				return
			}
			for range n {
				check(line)
			}
		}
	})
	t.Logf("%d right, %d wrong", right, wrong)
	if right < 5000 {
		t.Errorf("only %d were compared", right)
	}
}

// localWeeks tells of formats with the weeks or the long names of a locale: the recorded server is
// one without Elasticsearch's own locale data, by which weeks are those of ISO 8601.
func localWeeks(format string) bool {
	return strings.ContainsAny(strings.TrimPrefix(format, "dd/MMM"), "YWe") && strings.ContainsAny(format, "-") && strings.Contains(format, "Y") ||
		strings.Contains(format, "weekyear") || strings.Contains(format, "EEEE") || strings.Contains(format, "MMMM") || format == "e" || format == "W"
}

// hour24 are the two cases in which Elasticsearch takes 24 for the end of the day; we refuse it
// everywhere.
func hour24(format, text string) bool {
	return format == "strict_hour" && text == "24" || format == "strict_date_hour_minute" && text == "2014-11-18T24:00"
}

// parsed is a result as the recording has it.
func parsed(f *Format, text string) string {
	at, err := f.Parse(text, time.UTC)
	if err == nil {
		return fmt.Sprint(at.Millis())
	}
	e, _ := eserr.As(err)
	for e.CausedBy != nil {
		e = e.CausedBy
	}
	const start = "could not be parsed"
	i := strings.Index(e.Reason, start)
	rest := ""
	if i >= 0 {
		rest = e.Reason[i+len(start):]
	}
	switch {
	case strings.HasSuffix(e.Reason, "Failed to parse with all enclosed parsers"):
		return "@"
	case strings.HasPrefix(rest, " at index "):
		return "@" + strings.TrimPrefix(rest, " at index ")
	case strings.HasPrefix(rest, ", unparsed text found at index "):
		return "+" + strings.TrimPrefix(rest, ", unparsed text found at index ")
	}
	return "! " + e.Type + ": " + e.Reason
}

func TestRecordedPrint(t *testing.T) {
	var at []Instant
	localWeeks := func(name string) bool { return localWeeks(name) && !strings.Contains(name, "MMMM") }
	recording(t, "testdata/print.txt", func(line string) {
		cells := strings.Split(line, "\t")
		if at == nil {
			for _, c := range cells {
				ms, _ := strconv.ParseInt(c, 10, 64)
				at = append(at, FromMillis(ms))
			}
			return
		}
		if strings.HasPrefix(cells[1], "! ") {
			return // one of the instants does not fit the format
		}
		if localWeeks(cells[0]) {
			return
		}
		f, err := ParseFormat(cells[0])
		if err != nil {
			t.Error(err)
			return
		}
		for i, want := range cells[1:] {
			if got := string(f.AppendFormat(nil, at[i], time.UTC)); got != want {
				t.Errorf("%s prints %d as %s, want %s", cells[0], at[i].Millis(), got, want)
			}
		}
	})
}

func TestRecordedMath(t *testing.T) {
	recording(t, "testdata/math.txt", func(line string) {
		cells := strings.Split(line, "\t")
		zone := time.UTC
		if cells[0] != "" {
			var err error
			if zone, err = Zone(cells[0]); err != nil {
				t.Error(err)
				return
			}
		}
		for i, want := range cells[2:] {
			// gt and lte take the end of what is rounded, gt and lt leave the bound out.
			at, err := Default().ParseMath(cells[1], time.Unix(1416319506, 789e6), i == 1 || i == 2, zone)
			got := ""
			if err == nil {
				ms := at.Millis()
				if i == 1 {
					ms++
				} else if i == 3 {
					ms--
				}
				got = fmt.Sprint(ms)
			} else {
				e, _ := eserr.As(err)
				got = "! " + e.Reason
				want = strings.TrimSpace(want)
				if strings.HasPrefix(got, want) && strings.Contains(want, "failed to parse date field") {
					got = want
				}
			}
			if got != want {
				t.Errorf("%s in %q, bound %d: %s, want %s", cells[1], cells[0], i, got, want)
			}
		}
	})
}
