package datemath

import (
	"strings"

	"postern/internal/eserr"
)

// layoutOf finds a named format or compiles a Java pattern.
func layoutOf(name string) (layout, error) {
	switch name {
	case "epoch_millis":
		return epochLayout{millis: true}, nil
	case "epoch_second":
		return epochLayout{}, nil
	case "strict_date_optional_time":
		return isoLayout{}, nil
	case "strict_date_optional_time_nanos":
		return isoLayout{nanos: true}, nil
	case "date_optional_time":
		return isoLayout{lenient: true}, nil
	case "iso8601":
		return isoLayout{}, nil
	}
	if base, strict := strings.CutPrefix(name, "strict_"); strict {
		if p, ok := namedPattern(base); ok && !strings.HasPrefix(base, "basic_") || ok && strings.HasPrefix(base, "basic_week") {
			return compile(p, p)
		}
	} else if p, ok := namedPattern(name); ok {
		return compile(p, lenient(p))
	}
	l, err := compile(name, name)
	if err != nil {
		return nil, eserr.IllegalArgument("Invalid format: [%s]: %s", name, err.Error()).Cause(eserr.IllegalArgument("%s", err.Error()))
	}
	return l, nil
}

// namedPattern gives the pattern of a named format. In braces stand what Java's
// patterns have no letter for: ISO week years, weeks and weekdays, and an offset.
func namedPattern(name string) (string, bool) {
	const (
		date, ordinal                      = "yyyy-MM-dd", "yyyy-DDD"
		hms, millis, fraction              = "HH:mm:ss", "HH:mm:ss.SSS", "HH:mm:ss.S{1,9}"
		basicHMS, basicMillis              = "HHmmss", "HHmmss.S{1,9}"
		basicDate, basicOrdinal, basicWeek = "yyyyMMdd", "yyyyDDD", "{xxxx}'W'{ww}{k}"
		weekDate                           = "{xxxx}-'W'{ww}-{k}"
		t, zone                            = "'T'", "{Z}"
	)
	switch name {
	case "basic_date":
		return basicDate, true
	case "basic_date_time":
		return basicDate + t + basicMillis + zone, true
	case "basic_date_time_no_millis":
		return basicDate + t + basicHMS + zone, true
	case "basic_ordinal_date":
		return basicOrdinal, true
	case "basic_ordinal_date_time":
		return basicOrdinal + t + basicMillis + zone, true
	case "basic_ordinal_date_time_no_millis":
		return basicOrdinal + t + basicHMS + zone, true
	case "basic_time":
		return basicMillis + zone, true
	case "basic_time_no_millis":
		return basicHMS + zone, true
	case "basic_t_time":
		return t + basicMillis + zone, true
	case "basic_t_time_no_millis":
		return t + basicHMS + zone, true
	case "basic_week_date":
		return basicWeek, true
	case "basic_week_date_time":
		return basicWeek + t + basicMillis + zone, true
	case "basic_week_date_time_no_millis":
		return basicWeek + t + basicHMS + zone, true
	case "date", "year_month_day":
		return date, true
	case "date_hour":
		return date + t + "HH", true
	case "date_hour_minute":
		return date + t + "HH:mm", true
	case "date_hour_minute_second":
		return date + t + hms, true
	case "date_hour_minute_second_fraction":
		return date + t + fraction, true
	case "date_hour_minute_second_millis":
		return date + t + millis, true
	case "date_time":
		return date + t + fraction + zone, true
	case "date_time_no_millis":
		return date + t + hms + zone, true
	case "hour":
		return "HH", true
	case "hour_minute":
		return "HH:mm", true
	case "hour_minute_second":
		return hms, true
	case "hour_minute_second_fraction":
		return fraction, true
	case "hour_minute_second_millis":
		return millis, true
	case "ordinal_date":
		return ordinal, true
	case "ordinal_date_time":
		return ordinal + t + fraction + zone, true
	case "ordinal_date_time_no_millis":
		return ordinal + t + hms + zone, true
	case "t_time":
		return t + fraction + zone, true
	case "t_time_no_millis":
		return t + hms + zone, true
	case "time":
		return fraction + zone, true
	case "time_no_millis":
		return hms + zone, true
	case "week_date":
		return weekDate, true
	case "week_date_time":
		return weekDate + t + fraction + zone, true
	case "week_date_time_no_millis":
		return weekDate + t + hms + zone, true
	case "weekyear":
		return "{xxxx}", true
	case "weekyear_week":
		return "{xxxx}-'W'{ww}", true
	case "weekyear_week_day":
		return "{xxxx}-'W'{ww}-e", true
	case "year":
		return "yyyy", true
	case "year_month":
		return "yyyy-MM", true
	}
	return "", false
}

// lenient lets the numbers of a named format stand without leading zeros. Patterns whose
// numbers touch stay as they are: their widths tell them apart.
func lenient(p string) string {
	if !strings.ContainsAny(p, "-:") {
		return p
	}
	return strings.NewReplacer("yyyy", "y", "MM", "M", "dd", "d", "DDD", "D", "HH", "H", "mm", "m", "ss", "s").Replace(p)
}
