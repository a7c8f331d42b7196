package store

import (
	"fmt"
	"math"
	"strings"
)

// The strings of filters are for people: profiles, logs and test goldens.

func (All) String() string   { return "all" }
func (f And) String() string { return "and(" + list(f) + ")" }
func (f Or) String() string  { return "or(" + list(f) + ")" }
func (f Not) String() string { return "not(" + f.Filter.String() + ")" }
func (f IDs) String() string { return fmt.Sprintf("ids%q", f.IDs) }

func (f Terms) String() string { return fmt.Sprintf("%s:%q", f.Field, f.Terms) }
func (f Longs) String() string { return fmt.Sprintf("%s:%d", f.Field, f.Values) }

func (f Range) String() string {
	switch {
	case math.IsInf(f.To, 1):
		return fmt.Sprintf("%s>=%g", f.Field, f.From)
	case math.IsInf(f.From, -1):
		return fmt.Sprintf("%s<=%g", f.Field, f.To)
	}
	return fmt.Sprintf("%g<=%s<=%g", f.From, f.Field, f.To)
}

func (f Exists) String() string    { return "exists(" + f.Field + ")" }
func (f Uncovered) String() string { return "uncovered(" + f.Field + ")" }
func (f Nested) String() string    { return "nested(" + f.Path + ", " + f.Filter.String() + ")" }

func list(filters []Filter) string {
	texts := make([]string, len(filters))
	for i, f := range filters {
		texts[i] = f.String()
	}
	return strings.Join(texts, ", ")
}
