package replay

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// ignored stands where a rule says that the value does not count.
const ignored = "‹ignored›"

// normalize applies the rules that concern one answer alone.
func normalize(v jsontree.Value, rules []recording.Rule) jsontree.Value {
	return jsontree.Map(v, func(at []string, v jsontree.Value) jsontree.Value {
		for _, r := range rules {
			switch r.Kind {
			case recording.Ignore, recording.Capture:
				if r.Path.Matches(at) {
					return ignored
				}
			case recording.Optional:
				v = without(v, at, r.Path)
			case recording.Unordered:
				if r.Path.Matches(at) {
					v = sorted(v)
				}
			case recording.Error:
				v = typeOnly(v, at)
			}
		}
		return v
	})
}

// sorted returns a list with its elements, an object with its members in a fixed order.
func sorted(v jsontree.Value) jsontree.Value {
	switch v := v.(type) {
	case jsontree.Array:
		list := slices.Clone(v)
		slices.SortStableFunc(list, func(a, b jsontree.Value) int {
			return strings.Compare(jsontree.Compact(a), jsontree.Compact(b))
		})
		return list
	case jsontree.Object:
		members := slices.Clone(v)
		slices.SortStableFunc(members, func(a, b jsontree.Member) int { return strings.Compare(a.Name, b.Name) })
		return members
	}
	return v
}

func without(v jsontree.Value, at []string, path jsontree.Path) jsontree.Value {
	o, ok := v.(jsontree.Object)
	if !ok {
		return v
	}
	return slices.DeleteFunc(slices.Clone(o), func(m jsontree.Member) bool {
		return path.Matches(append(slices.Clone(at), m.Name))
	})
}

// typeOnly leaves of an error object its type.
func typeOnly(v jsontree.Value, at []string) jsontree.Value {
	o, ok := v.(jsontree.Object)
	if !ok || len(at) == 0 || at[len(at)-1] != "error" {
		return v
	}
	kind, ok := o.Get("type")
	if !ok {
		return v
	}
	return jsontree.Object{{Name: "type", Value: kind}}
}

// align returns got with its members in want's order (what want lacks comes last), and
// with the numbers that are close enough replaced by want's.
func align(want, got jsontree.Value, at []string, rules []recording.Rule) jsontree.Value {
	switch want := want.(type) {
	case jsontree.Object:
		got, ok := got.(jsontree.Object)
		if !ok {
			return got
		}
		rest := slices.Clone(got)
		var aligned jsontree.Object
		for _, m := range want {
			i := slices.IndexFunc(rest, func(g jsontree.Member) bool { return g.Name == m.Name })
			if i < 0 {
				continue
			}
			v := align(m.Value, rest[i].Value, append(at, m.Name), rules)
			aligned = append(aligned, jsontree.Member{Name: m.Name, Value: v})
			rest = slices.Delete(rest, i, i+1)
		}
		return append(aligned, rest...)
	case jsontree.Array:
		got, ok := got.(jsontree.Array)
		if !ok {
			return got
		}
		aligned := slices.Clone(got)
		for i := range min(len(want), len(got)) {
			aligned[i] = align(want[i], got[i], append(at, strconv.Itoa(i)), rules)
		}
		return aligned
	case jsontree.Number:
		if g, ok := got.(jsontree.Number); ok && closeEnough(want, g, at, rules) {
			return want
		}
	}
	return got
}

func closeEnough(want, got jsontree.Number, at []string, rules []recording.Rule) bool {
	for _, r := range rules {
		if r.Kind != recording.Tolerance || !r.Path.Matches(at) {
			continue
		}
		w, err1 := strconv.ParseFloat(string(want), 64)
		g, err2 := strconv.ParseFloat(string(got), 64)
		if err1 == nil && err2 == nil && math.Abs(w-g) <= r.Limit*max(math.Abs(w), 1e-30) {
			return true
		}
	}
	return false
}

// names returns v with every value replaced by null, to compare the order of members.
func names(v jsontree.Value) jsontree.Value {
	return jsontree.Map(v, func(_ []string, v jsontree.Value) jsontree.Value {
		switch v.(type) {
		case jsontree.Object, jsontree.Array:
			return v
		}
		return nil
	})
}
