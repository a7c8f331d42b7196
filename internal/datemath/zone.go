package datemath

import (
	"strings"
	"time"
	_ "time/tzdata" // zones by name on machines without a zone database

	"postern/internal/eserr"
)

// Zone finds a zone by its name (Europe/Berlin, UTC, Z, GMT+2) or its offset (+01:00).
func Zone(text string) (*time.Location, error) {
	z, ok := zoneOf(text)
	if !ok {
		reason := "Unknown time-zone ID: " + text
		typ := "zone_rules_exception"
		if text == "" || strings.ContainsAny(text, " ,;") || text[0] == '+' || text[0] == '-' {
			reason, typ = "Invalid ID for region-based ZoneId, invalid format: "+text, "date_time_exception"
		}
		return nil, &eserr.Error{Status: 400, Type: typ, Reason: reason}
	}
	return z, nil
}

func zoneOf(text string) (*time.Location, bool) {
	switch text {
	case "Z", "UTC", "GMT", "UT":
		return time.UTC, true
	case "", "Local", "EST", "MST", "HST":
		return nil, false // the last are Java's old short names
	}
	rest := text
	for _, prefix := range []string{"UTC", "GMT", "UT"} {
		if r, ok := strings.CutPrefix(text, prefix); ok && r != "" && (r[0] == '+' || r[0] == '-') {
			rest = r
			break
		}
	}
	if rest[0] == '+' || rest[0] == '-' {
		if len(rest) == 2 { // +1
			rest = rest[:1] + "0" + rest[1:]
		}
		seconds, ok := parseOffset(rest)
		if !ok {
			return nil, false
		}
		if seconds == 0 {
			return time.UTC, true
		}
		return time.FixedZone(text, seconds), true
	}
	if strings.Contains(text, "..") || text[0] == '/' {
		return nil, false
	}
	z, err := time.LoadLocation(text)
	return z, err == nil
}
