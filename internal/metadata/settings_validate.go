package metadata

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"postern/internal/eserr"
	"postern/internal/xcontent"
)

// Validate checks settings that a client asks for: their names, their values, and that
// Postern can keep what they promise.
func (s Settings) Validate() error { return s.validate(newDictionary()) }

func (s Settings) validate(known *dictionary) error {
	var wrong []*eserr.Error
	for _, x := range s.all {
		if err := known.check(x); err != nil {
			wrong = append(wrong, err)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	// A wrong value is named before an unknown setting.
	slices.SortStableFunc(wrong, func(a, b *eserr.Error) int { return rank(a) - rank(b) })
	first := wrong[0]
	if len(wrong) > 1 && first.CausedBy == nil {
		list := []byte{'['}
		for i, e := range wrong[1:] {
			if i > 0 {
				list = append(list, ',')
			}
			list = e.AppendCause(list)
		}
		first.RootCause = []*eserr.Error{{Status: first.Status, Type: first.Type, Reason: first.Reason}}
		first.Meta = append(first.Meta, eserr.Meta{Name: "suppressed", Raw: append(list, ']')})
	}
	return first
}

func rank(e *eserr.Error) int {
	if strings.HasPrefix(e.Reason, "unknown setting") {
		return 1
	}
	return 0
}

// check gives what is wrong with one setting, or nil.
func (d *dictionary) check(x Setting) *eserr.Error {
	def := d.find(x.Name)
	switch {
	case def == nil && x.Null && strings.Contains(x.Name, "*"):
		return nil
	case def == nil:
		switch near := xcontent.Near(x.Name, d.names, 0.7); len(near) {
		case 0:
		case 1:
			return eserr.IllegalArgument("unknown setting [%s] did you mean [%s]?", x.Name, near[0])
		default:
			return eserr.IllegalArgument("unknown setting [%s] did you mean any of [%s]?", x.Name, strings.Join(near, ", "))
		}
		return eserr.IllegalArgument("unknown setting [%s] please check that any required plugins are installed, or check the breaking changes documentation for removed settings", x.Name)
	case x.Null:
		return nil
	}
	text := x.Text
	if x.List != nil {
		text = strings.Join(x.List, ",")
		if def.kind != anyList {
			text = "[" + strings.Join(x.List, ", ") + "]"
		}
	}
	if err := def.checkValue(x.Name, text); err != nil {
		return err
	}
	if def.only != nil && !slices.Contains(def.only, text) {
		return eserr.Refused("the setting [%s] with the value [%s] is not supported in this version of Postern", x.Name, text)
	}
	return nil
}

func (def *definition) checkValue(name, text string) *eserr.Error {
	switch def.kind {
	case boolean:
		if text != "true" && text != "false" {
			return eserr.IllegalArgument("Failed to parse value [%s] as only [true] or [false] are allowed.", text)
		}
	case integer:
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case err != nil:
			return eserr.IllegalArgument("Failed to parse value [%s] for setting [%s]", text, name).
				Cause(eserr.NumberFormat(`For input string: "` + text + `"`))
		case n < def.low:
			return eserr.IllegalArgument("Failed to parse value [%s] for setting [%s] must be >= %d", text, name, def.low)
		case n > def.high:
			return eserr.IllegalArgument("Failed to parse value [%s] for setting [%s] must be <= %d", text, name, def.high)
		}
	case decimal:
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return eserr.IllegalArgument("Failed to parse value [%s] for setting [%s]", text, name).
				Cause(eserr.NumberFormat(`For input string: "` + text + `"`))
		}
	case duration:
		var d xcontent.Duration
		if err := xcontent.ParseDuration(&d, text, name); err != nil {
			e, _ := eserr.As(err)
			return e
		}
		if d.D < 0 && def.low == 0 || d.D < time.Duration(def.low)*time.Millisecond {
			return eserr.IllegalArgument("failed to parse value [%s] for setting [%s], must be >= [%d]", text, name, def.low)
		}
	case size:
		if !isSize(text) {
			return eserr.ParseError("failed to parse setting [%s] with value [%s] as a size in bytes: unit is missing or unrecognized", name, text)
		}
	}
	return nil
}

// isSize takes 10b, 10kb … 10pb, 0 and -1.
func isSize(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "0" || text == "-1" {
		return true
	}
	digits, found := "", false
	for _, unit := range []string{"kb", "mb", "gb", "tb", "pb", "k", "m", "g", "t", "p", "b"} {
		if digits, found = strings.CutSuffix(text, unit); found {
			break
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	return found && err == nil && n >= 0
}

// Defaults are the settings that are not set, with the values they have all the same;
// lists stand as lists.
func (s Settings) Defaults() Settings {
	var unset Settings
	for _, def := range definitions() {
		if _, set := s.find(def.name); set {
			continue
		}
		x := Setting{Name: def.name, Text: def.fallback}
		if def.kind == anyList {
			x.List = []string{}
			if inner := strings.Trim(def.fallback, `[]"`); inner != "" {
				x.List = append(x.List, inner)
			}
		}
		unset.all = append(unset.all, x)
	}
	unset.sort()
	return unset
}
