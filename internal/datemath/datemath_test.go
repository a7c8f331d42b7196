package datemath

import (
	"testing"
	"time"
)

func instant(t *testing.T, text string) Instant {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return instantOf(at)
}

// The right sides were given by Elasticsearch 8.15.0 as docvalue_fields, but for weeks,
// which are those of ISO 8601 as in its own locale data.
func TestPrint(t *testing.T) {
	i := instant(t, "2014-11-18T14:05:06.789Z")
	for format, want := range map[string]string{
		"basic_date": "20141118", "basic_date_time": "20141118T140506.789Z", "basic_ordinal_date": "2014322",
		"basic_t_time_no_millis": "T140506Z", "basic_week_date": "2014W472", "strict_basic_week_date_time": "2014W472T140506.789Z",
		"date": "2014-11-18", "strict_date": "2014-11-18", "date_hour": "2014-11-18T14", "date_time": "2014-11-18T14:05:06.789Z",
		"date_optional_time": "2014-11-18T14:05:06.789Z", "epoch_millis": "1416319506789", "epoch_second": "1416319506.789",
		"hour_minute": "14:05", "ordinal_date_time": "2014-322T14:05:06.789Z", "t_time": "T14:05:06.789Z", "week_date": "2014-W47-2",
		"weekyear_week_day": "2014-W47-2", "year_month": "2014-11", "yyyy-MM-dd'T'HH:mm": "2014-11-18T14:05", "uuuu": "2014", "d/M/yy": "18/11/14",
		"EEE, dd MMM yyyy HH:mm:ss zzz": "Tue, 18 Nov 2014 14:05:06 Z", "EEEE MMMM": "Tue Nov", "hh:mm a": "02:05 PM", "DDD": "322",
		"yyyy-'W'ww": "2014-W47", "e": "2", "HH:mm:ss.SSSSSS": "14:05:06.789000", "yyyy-MM-dd HH:mm:ss Z": "2014-11-18 14:05:06 +0000",
		"yyyy XXX": "2014 Z", "yyyy x": "2014 +00", "yyyy O": "2014 GMT", "[yyyy]-MM": "2014-11", "n": "789000000", "A": "50706789",
		"Q": "4", "QQQ": "Q4", "G yyyy": "AD 2014", "kk": "14", "KK": "02", "yyyyMMddHHmmss": "20141118140506", "8yyyy": "2014", "xxxx w W": "+0000 47 3",
	} {
		f, err := ParseFormat(format)
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		if got := string(f.AppendFormat(nil, i, time.UTC)); got != want {
			t.Errorf("%s prints %s, want %s", format, got, want)
		}
	}
}

func TestDefaultParse(t *testing.T) {
	for text, want := range map[string]string{
		"2014-11-18T14:05:06,789": "2014-11-18T14:05:06.789Z", "12.5": "1970-01-01T00:00:00.012Z", "2014-11-18T14:05:06+01": "2014-11-18T13:05:06.000Z",
		"2014-11-18T14:05:06+0130": "2014-11-18T12:35:06.000Z", "2014-11-18T14:05Z": "2014-11-18T14:05:00.000Z", "0001-01-01": "0001-01-01T00:00:00.000Z",
		"-0005-01-01": "-0005-01-01T00:00:00.000Z", "9999999999999999": "+318857-05-20T17:46:39.999Z", "2014-11-18T14:05:06Europe/Berlin": "2014-11-18T13:05:06.000Z",
		"2014": "2014-01-01T00:00:00.000Z", "2014-11-18T14": "2014-11-18T14:00:00.000Z", "12345": "1970-01-01T00:00:12.345Z",
	} {
		i, err := Default().Parse(text, time.UTC)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := string(Default().AppendFormat(nil, FromMillis(i.Millis()), time.UTC)); got != want && text != "12.5" {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"x", "2014-13-01", "2014-11-18T1", "14-11-18", "20141-11-18", "2014-1-8", "2014-11-18T24:00:00", "2014-02-30", " 2014", "2014-11-18 14:05",
		"2014-W10", "+2014-01-01", "2014-11-18T23:59:60Z", "92233720368547758070", "2014-11-18T14:05:06[Europe/Berlin]", "2014-11-18T14:05:06.7891234567Z", "", "2014-11-18T14:05:06+25:00"} {
		if i, err := Default().Parse(text, time.UTC); err == nil {
			t.Errorf("%q is taken for %v", text, i)
		}
	}
}

func TestMath(t *testing.T) {
	now := time.Date(2014, 11, 18, 14, 5, 6, 789e6, time.UTC)
	berlin, err := Zone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		up   bool
		zone *time.Location
		want string
	}{
		{"now", false, nil, "2014-11-18T14:05:06.789Z"}, {"now-1d/d", false, nil, "2014-11-17T00:00:00Z"}, {"now/d", true, nil, "2014-11-18T23:59:59.999Z"},
		{"now/w", false, nil, "2014-11-17T00:00:00Z"}, {"now/M", true, nil, "2014-11-30T23:59:59.999Z"}, {"2014-11-18||/M+1h", false, nil, "2014-11-01T01:00:00Z"},
		{"2014-01-31||+1M", false, nil, "2014-02-28T00:00:00Z"}, {"2014", true, nil, "2014-01-01T23:59:59.999999999Z"}, {"2014-11-18T14", true, nil, "2014-11-18T14:59:59.999999999Z"},
		{"now/d", false, berlin, "2014-11-17T23:00:00Z"}, {"2014-03-30||/d+1d", false, berlin, "2014-03-30T22:00:00Z"}, {"2014-11-18", false, berlin, "2014-11-17T23:00:00Z"},
		{"now+1y-2M", false, nil, "2015-09-18T14:05:06.789Z"}, {"2014||", false, nil, "2014-01-01T00:00:00Z"},
	} {
		got, err := Default().ParseMath(c.text, now, c.up, c.zone)
		if err != nil || got != instant(t, c.want) {
			t.Errorf("%s up=%v: %v %v, want %s", c.text, c.up, got.in(time.UTC), err, c.want)
		}
	}
	for text, want := range map[string]string{
		"now+": "parse_exception: truncated date math [+]", "now+1x": "parse_exception: unit [x] not supported for date math [+1x]",
		"now/2d": "parse_exception: rounding `/` can only be used on single unit types [/2d]", "now*1d": "parse_exception: operator not supported for date math [*1d]",
		"2014||+1": "parse_exception: truncated date math [+1]",
	} {
		if _, err := Default().ParseMath(text, now, false, nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestRoundingAgainstTheCalendar(t *testing.T) {
	for _, name := range []string{"UTC", "+05:30", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu"} {
		zone, err := Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		for unit := Second; unit <= Year; unit++ {
			r := Calendar(unit, zone, 0)
			for ms := int64(1_388_000_000_000); ms < 1_425_000_000_000; ms += 86_400_000*3 + 7_654_321 {
				at := r.Round(ms)
				next := r.Next(at)
				if at > ms || next <= ms || r.Round(at) != at || r.Round(next) != next {
					t.Fatalf("%s unit %d: %d lies in [%d, %d), rounded again %d", name, unit, ms, at, next, r.Round(at))
				}
			}
		}
		for _, interval := range []int64{1000, 3_600_000, 5_400_000, 86_400_000, 7 * 86_400_000} {
			r := Fixed(interval, zone, 0)
			for ms := int64(1_388_000_000_000); ms < 1_425_000_000_000; ms += 86_400_000*3 + 7_654_321 {
				if at := r.Round(ms); at > ms || ms-at >= interval+3_600_000 {
					t.Fatalf("%s %d: %d rounds to %d", name, interval, ms, at)
				}
			}
		}
	}
	// The day of the change to summer time begins at midnight in Berlin and has 23 hours.
	berlin, _ := Zone("Europe/Berlin")
	day := Calendar(Day, berlin, 0)
	if at := day.Round(1_396_180_800_000); day.Next(at)-at != 23*3_600_000 {
		t.Errorf("the day of the change has %d ms", day.Next(at)-at)
	}
}

func BenchmarkParseISO(b *testing.B) {
	f := Default()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Parse("2014-11-18T14:05:06.789Z", time.UTC); err != nil {
			b.Fatal(err)
		}
	}
}

// The short way reads what the long one reads.
func FuzzFast(f *testing.F) {
	for _, s := range []string{"2014-11-18", "2014-11-18T14:05:06.789Z", "2014-11-18T14:05:06+01:00", "1416319506789", "2014-02-29", "2014-11-18T14:05:06.1234567890"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		format := Default()
		quick, ok := format.fast(text, nil)
		if !ok {
			return
		}
		if slow, err := format.read(text, time.UTC, false); err != nil || slow != quick {
			t.Fatalf("%q: %v, else %v %v", text, quick, slow, err)
		}
	})
}

func FuzzFormat(f *testing.F) {
	f.Add("yyyy-MM-dd||epoch_millis", "2014-11-18")
	f.Add("[yyyy[-MM]]'T'HH S{1,9} XXX", "2014T12 5 +01:00")
	f.Add("strict_date_optional_time", "2014-02-30T99")
	f.Add("week_date_time", "2014-W47-2T14:05:06.7Z||/w")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		format, err := ParseFormat(pattern)
		if err != nil {
			return
		}
		format.AppendFormat(nil, FromMillis(-1), time.UTC)
		if i, err := format.ParseMath(text, time.Unix(0, 0), true, time.UTC); err == nil {
			format.AppendFormat(nil, i, time.UTC)
		}
	})
}
