package metadata

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"postern/internal/jsonx"
	"postern/internal/xcontent"
)

// Settings are an index's settings by their full flat names (index.number_of_shards),
// sorted. They are immutable; the zero Settings are empty.
type Settings struct{ all []Setting }

// Setting is one setting: a text or a list of texts. A null asks for a setting's removal
// and stands in requests only.
type Setting struct {
	Name string
	Text string
	List []string // not nil for a list
	Null bool
}

// NewSettings makes settings of names and texts in turn.
func NewSettings(pairs ...string) Settings {
	var s Settings
	for i := 0; i+1 < len(pairs); i += 2 {
		s.all = append(s.all, Setting{Name: pairs[i], Text: pairs[i+1]})
	}
	s.sort()
	return s
}

func (s *Settings) sort() {
	slices.SortStableFunc(s.all, func(a, b Setting) int { return compare(a.Name, b.Name) })
	// Of several with one name the last counts.
	kept := s.all[:0]
	for i, x := range s.all {
		if i+1 == len(s.all) || s.all[i+1].Name != x.Name {
			kept = append(kept, x)
		}
	}
	s.all = kept
}

// All lists the settings; the list must not be changed.
func (s Settings) All() []Setting { return s.all }

// Len counts the settings.
func (s Settings) Len() int { return len(s.all) }

func (s Settings) find(name string) (Setting, bool) {
	i, ok := slices.BinarySearchFunc(s.all, name, func(x Setting, name string) int { return compare(x.Name, name) })
	if !ok {
		return Setting{}, false
	}
	return s.all[i], true
}

// Get is the text of a setting that is set; a list's texts are joined by commas.
func (s Settings) Get(name string) (string, bool) {
	x, ok := s.find(name)
	if !ok || x.Null {
		return "", false
	}
	if x.List != nil {
		return strings.Join(x.List, ","), true
	}
	return x.Text, true
}

// List is a setting as a list; a text is split at commas.
func (s Settings) List(name string) []string {
	x, ok := s.find(name)
	switch {
	case !ok || x.Null:
		return nil
	case x.List != nil:
		return x.List
	case x.Text == "":
		return []string{}
	}
	return strings.Split(x.Text, ",")
}

// Bool is a setting that is true or false.
func (s Settings) Bool(name string, otherwise bool) bool {
	switch text, _ := s.Get(name); text {
	case "true":
		return true
	case "false":
		return false
	}
	return otherwise
}

// Int is a setting that is a number.
func (s Settings) Int(name string, otherwise int) int {
	text, ok := s.Get(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return otherwise
	}
	return n
}

// Duration is a setting that is a time; -1 nanosecond stands for "never".
func (s Settings) Duration(name string, otherwise time.Duration) time.Duration {
	text, ok := s.Get(name)
	if !ok {
		return otherwise
	}
	var d xcontent.Duration
	if xcontent.ParseDuration(&d, text, name) != nil {
		return otherwise
	}
	return d.D
}

// Under gives the settings below a prefix (which ends in a dot), by the rest of their
// names.
func (s Settings) Under(prefix string) Settings {
	var below Settings
	for _, x := range s.all {
		if rest, ok := strings.CutPrefix(x.Name, prefix); ok {
			x.Name = rest
			below.all = append(below.all, x)
		}
	}
	return below
}

// With lays other settings over these; nulls remove, and a null whose name has wildcards
// removes what it matches.
func (s Settings) With(over Settings) Settings {
	var next Settings
	for _, x := range s.all {
		if !over.removes(x.Name) {
			next.all = append(next.all, x)
		}
	}
	for _, x := range over.all {
		if !x.Null {
			next.all = append(next.all, x)
		}
	}
	next.sort()
	return next
}

func (s Settings) removes(name string) bool {
	for _, x := range s.all {
		if x.Null && MatchWildcard(x.Name, name) {
			return true
		}
	}
	return false
}

// Keep gives the settings whose name or whose value's place matches one of the patterns.
func (s Settings) Keep(patterns []string) Settings {
	var kept Settings
	for _, x := range s.all {
		for _, p := range patterns {
			if MatchWildcard(p, x.Name) {
				kept.all = append(kept.all, x)
				break
			}
		}
	}
	return kept
}

// Without gives the settings that are not set in other.
func (s Settings) Without(other Settings) Settings {
	var kept Settings
	for _, x := range s.all {
		if _, ok := other.find(x.Name); !ok {
			kept.all = append(kept.all, x)
		}
	}
	return kept
}

// ParseSettings reads settings in any mixture of nested objects and dotted names. Every
// name is given the prefix "index." if it hasn't it.
func ParseSettings(v jsonx.Value) (Settings, error) {
	var s Settings
	s.flatten("", v)
	for i := range s.all {
		if !strings.HasPrefix(s.all[i].Name, "index.") {
			s.all[i].Name = "index." + s.all[i].Name
		}
	}
	s.sort()
	return s, nil
}

func (s *Settings) flatten(prefix string, v jsonx.Value) {
	for k, m := range v.Members() {
		name := prefix + k.Text()
		switch m.Kind() {
		case jsonx.Object:
			s.flatten(name+".", m)
		case jsonx.Array:
			list := make([]string, 0, m.Len())
			for e := range m.Elements() {
				list = append(list, e.Text())
			}
			s.all = append(s.all, Setting{Name: name, List: list})
		case jsonx.Null:
			s.all = append(s.all, Setting{Name: name, Null: true})
		default:
			s.all = append(s.all, Setting{Name: name, Text: m.Text()})
		}
	}
}

// Lists goes over the settings, each as a list of texts.
func (s Settings) Lists() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for _, x := range s.all {
			list := x.List
			if list == nil {
				list = []string{x.Text}
			}
			if !x.Null && !yield(x.Name, list) {
				return
			}
		}
	}
}
