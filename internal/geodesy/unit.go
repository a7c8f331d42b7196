package geodesy

import (
	"strconv"
	"strings"

	"postern/internal/eserr"
)

// unit is a unit of length, with its names: the longer ones first where one ends in
// another.
type unit struct {
	metres float64
	names  []string
}

// units are in the order in which Elasticsearch looks for their names.
func units() []unit {
	return []unit{
		{0.0254, []string{"in", "inch"}},
		{0.9144, []string{"yd", "yards"}},
		{0.3048, []string{"ft", "feet"}},
		{1000, []string{"km", "kilometers"}},
		{1852, []string{"NM", "nmi", "nauticalmiles"}},
		{0.001, []string{"mm", "millimeters"}},
		{0.01, []string{"cm", "centimeters"}},
		{1609.344, []string{"mi", "miles"}},
		{1, []string{"m", "meters"}},
	}
}

// Metres is the length of a unit by its name; ok is false for what is none.
func Metres(name string) (metres float64, ok bool) {
	for _, u := range units() {
		for _, n := range u.names {
			if n == name {
				return u.metres, true
			}
		}
	}
	return 0, false
}

// ParseDistance reads a length such as 5km in metres; without a unit it is in metres.
func ParseDistance(text string) (float64, error) { return ParseDistanceIn(text, 1) }

// ParseDistanceIn is ParseDistance with the length in metres of the unit that a bare
// number is in.
func ParseDistanceIn(text string, unit float64) (float64, error) {
	number, scale := text, unit
search:
	for _, u := range units() {
		for _, name := range u.names {
			if rest, ok := strings.CutSuffix(text, name); ok {
				number, scale = rest, u.metres
				break search
			}
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return 0, eserr.NumberFormat("For input string: \"" + number + "\"")
	}
	return v * scale, nil
}
